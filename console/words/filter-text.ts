import { parseExactly } from '../../functions/core/filter/decimal.ts';
import { TEXT } from '../texts.ts';

/** The filter in what is typed, with all digits of its numbers, or why there is none; neither where it is blank. */
export function filterIn(text: string): { readonly value?: unknown; readonly fault?: string } {
  try {
    return text.trim() === '' ? {} : { value: parseExactly(text) };
  } catch (error) {
    return { fault: TEXT.form.noJson((error as SyntaxError).message) };
  }
}

/**
 * What the API says is wrong with a field or within it.
 *
 * @param isPlaced whether the place within it is said, too: `resource.amount must not be empty`
 */
export function errorAt(
  name: string,
  errors: Readonly<Record<string, string>>,
  isPlaced = true,
): string | undefined {
  const [field = '', reason] =
    Object.entries(errors).find(([one]) => one === name || one.startsWith(`${name}.`)) ?? [];
  const place = isPlaced ? field.slice(name.length + 1) : '';
  return place === '' ? reason : `${place} ${reason}`;
}
