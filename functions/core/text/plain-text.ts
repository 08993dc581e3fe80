/**
 * What text from outside may not hold, since it means something to a terminal, a page or a store, and nothing to a reader: control
 * characters (a line break is one), marks that turn the direction of what follows, separators of lines and paragraphs, halves of surrogate pairs.
 * Source of the marks: "Trojan Source", CVE-2021-42574; Unicode Standard Annex 9.
 */
const UNFIT = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb`;

/** The same as a regular expression of JSON Schema, whose texts have no halves of pairs. */
export const PLAIN_TEXT_PATTERN = `^[^${UNFIT}]*$`;
const PLAIN_TEXT = new RegExp(PLAIN_TEXT_PATTERN, 'u');

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && PLAIN_TEXT.test(text);
}

/** Ends a sentence that begins with a member's name. */
export const NOT_PLAIN_TEXT =
  'must not have control characters, line breaks, halves of surrogate pairs or marks that turn the direction of text';
