import { inspect } from 'node:util';

type Streams = Readonly<
  Record<'stdout' | 'stderr', { write(text: string): unknown; readonly isTTY?: boolean }>
>;

export interface Terminal {
  print(text: string): void;
  /** Absent where nobody watches. */
  readonly progress?: (line: string) => void;
}

/** The terminal of a command. Progress goes to stderr, and only if that is a terminal. */
export function terminal(args: readonly string[], { stdout, stderr }: Streams = process): Terminal {
  const showsProgress = stderr.isTTY === true && !args.includes('--json');
  let shown = 0;
  return {
    print(text) {
      stderr.write(shown === 0 ? '' : `\r${' '.repeat(shown)}\r`);
      stdout.write(printableOutput(text));
    },
    ...(showsProgress
      ? {
          progress(line: string) {
            const text = printable(line);
            stderr.write(`\r${text.padEnd(shown)}`);
            shown = Math.max(shown, text.length);
          },
        }
      : {}),
  };
}

/** Rows as lines, each column as wide as its longest cell. Cells may hold text of outsiders. */
export function textTable(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** An outsider's text in lines of at most `width` characters. Longer words stay whole, to be copied. */
export function wrapped(width: number, text: string): string[] {
  const lines: string[] = [];
  for (const word of printable(text).split(/ +/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

/** The first of many lines, and how many more there are. */
export function firstOf(lines: readonly string[], max: number): string[] {
  const left = lines.length - max;
  return left > 0 ? [...lines.slice(0, max), `  … and ${left} more; --json has them all`] : [...lines];
}

/** An instant as a person reads it: 2026-11-14 10:00:05 UTC. */
export function readableTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/**
 * Characters that act on a terminal: controls (with ESC and NUL), format characters (bidi overrides, zero
 * width), line and paragraph separators, halves of surrogate pairs. Source: Unicode's general categories.
 */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What a command itself prints between texts: ends of lines, and the colours of picocolors. */
const OWN = new RegExp(`(\\r?\\n|${String.fromCharCode(0x1b)}\\[\\d{1,2}m)`);

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
