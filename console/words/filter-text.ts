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
