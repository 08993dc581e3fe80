import * as z from 'zod';

interface More {
  readonly default?: string;
}

/** An option with a number; its help tells the range. */
export function numberOption<const Rest extends More>(help: string, min: number, max: number, rest?: Rest) {
  const check = numberWithin(min, max);
  return { value: 'N', check, help: `${help}, ${min} to ${max}`, ...(rest as Rest) } as const;
}

export function wholeNumberOption<const Rest extends More>(
  help: string,
  min: number,
  max: number,
  rest?: Rest,
) {
  const check = wholeNumberWithin(min, max);
  return { value: 'N', check, help: `${help}, ${min} to ${max}`, ...(rest as Rest) } as const;
}

/** An option with one of some names; its help lists them. */
export function nameOption<
  const Names extends readonly string[],
  const Rest extends More & { help?: string },
>(names: Names, rest?: Rest) {
  return { value: 'NAME', check: oneOf(names), help: names.join(', '), ...(rest as Rest) } as const;
}

/** An option with an instant, in ms since 1970. */
export const INSTANT_OPTION = {
  value: 'INSTANT',
  check: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an instant such as 2026-11-14T10:00:00Z')
    .transform((text) => Date.parse(text)),
} as const;

export function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, `must be one of ${names.join(', ')}`);
}

/** A number as people write it; NaN for what else `Number` takes, such as 0x5, 1e1 and nothing. */
export function numberIn(text: string): number {
  return /^-?(\d+|\d*\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

export function numberWithin(min: number, max: number) {
  return within(min, max, `must be a number from ${min} to ${max}`, () => true);
}

export function wholeNumberWithin(min: number, max: number) {
  return within(min, max, `must be a whole number from ${min} to ${max}`, Number.isInteger);
}

function within(min: number, max: number, message: string, isKind: (value: number) => boolean) {
  return z
    .string()
    .transform(numberIn)
    .refine((value) => value >= min && value <= max && isKind(value), message);
}
