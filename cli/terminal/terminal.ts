import { printable, printableOutput } from './printable.ts';

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
