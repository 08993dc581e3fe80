import { inspect } from 'node:util';

/**
 * Characters that act on a terminal: controls (with ESC and NUL), format characters (bidi overrides, zero
 * width), line and paragraph separators, halves of surrogate pairs. Source: Unicode's general categories.
 */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What a command itself prints between texts: ends of lines, and the colours of picocolors. */
const OWN = new RegExp(`(\\n|${String.fromCharCode(0x1b)}\\[\\d{1,2}m)`);

/**
 * Makes a text that an outsider wrote safe on a terminal: `\u001b` instead of the character. JSON keeps its
 * meaning.
 */
export function printable(text: string): string {
  return text.replace(ACTIVE, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );
}

/**
 * The same for everything that a command prints: the last line of defence, which lets colours and ends of
 * lines pass.
 */
export function printableOutput(text: string): string {
  return text
    .split(OWN)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

/** An outsider's text, safe on a terminal and cut to a width. */
export function cutTo(width: number, text: string): string {
  const shown = printable(text);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}

export function printableError(error: unknown): string {
  return printableOutput(typeof error === 'string' ? error : inspect(error));
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
