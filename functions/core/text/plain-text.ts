/**
 * Characters that text from outside must not contain, since they act on a terminal, a page or a store and
 * mean nothing to a reader: control characters (including line breaks), marks that change the direction of
 * text, line and paragraph separators, unpaired surrogates. Source of the marks: "Trojan Source",
 * CVE-2021-42574; Unicode Standard Annex 9.
 */
const UNFIT = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb`;

/** The same rule for JSON Schema, which reads it with the flag `u`: then a surrogate is an unpaired one. */
export const PLAIN_TEXT_PATTERN = `^[^${UNFIT}]*$`;
const PLAIN_TEXT = new RegExp(PLAIN_TEXT_PATTERN, 'u');

export function isPlainText(text: string): boolean {
  return PLAIN_TEXT.test(text);
}

const ALL_UNFIT = new RegExp(`[${UNFIT}]+`, 'gu');

/** Any text as plain text: a space in place of what is unfit. */
export function asPlainText(text: string): string {
  return text.replace(ALL_UNFIT, ' ');
}

/** For a schema of plain text with at most this many code points. */
export function plainTextOf(least: number, most: number): RegExp {
  return new RegExp(`^[^${UNFIT}]{${least},${most}}$`, 'u');
}

/** Ends a sentence that begins with the name of a field. */
export const NOT_PLAIN_TEXT =
  'must not contain control characters, line breaks, unpaired surrogates or marks that change the direction of text';
