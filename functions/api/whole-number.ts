import * as z from 'zod';

/**
 * A whole number as a query parameter: in digits alone, since nobody means 0x5, 1e1 or nothing as a number. What
 * it is where it is missing says `prefault`: a `default` would be left out of the OpenAPI document.
 */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (text) => (/^(0|[1-9]\d{0,8})$/.test(String(text)) ? Number(text) : text),
    z.int({ error }).min(min, error).max(max, error),
  );
}
