import { inspect } from 'node:util';

/**
 * What does something to a terminal instead of being read: controls (ESC and NUL among them), format characters (bidi overrides, zero width), line and
 * paragraph separators, halves of surrogate pairs. Source: Unicode's general categories.
 */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What a command itself puts between the texts it prints: ends of lines, and the colours of picocolors. */
const OWN = new RegExp(`(\\n|${String.fromCharCode(0x1b)}\\[\\d{1,2}m)`);

/** A text that an outsider wrote, safe on a terminal: `\u001b` instead of the character. JSON stays JSON, and says the same. */
export function printable(text: string): string {
  return text.replace(ACTIVE, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );
}

/** The same for all that a command prints at once. The last line of defence: it lets every colour and end of line pass, whoever wrote it. */
export function printableOutput(text: string): string {
  return text
    .split(OWN)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

/** An outsider's text in a line of limited width. */
export function cutTo(width: number, text: string): string {
  const shown = printable(text);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}

/** An error that nobody foresaw, with its stack. */
export function printableError(error: unknown): string {
  return printableOutput(typeof error === 'string' ? error : inspect(error));
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
