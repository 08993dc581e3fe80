import { stageAccess } from './stage-access.ts';
import type { Surroundings } from './surroundings.ts';

/** The surroundings of a command that a person has started. Progress goes to stderr, and only where somebody sees it. */
export function terminal(args: readonly string[]): Surroundings {
  const showsProgress = process.stderr.isTTY && !args.includes('--json');
  let shown = 0;
  return {
    access: stageAccess,
    print(text) {
      process.stderr.write(shown === 0 ? '' : `\r${' '.repeat(shown)}\r`);
      process.stdout.write(text);
    },
    ...(showsProgress
      ? {
          progress(line: string) {
            process.stderr.write(`\r${line.padEnd(shown)}`);
            shown = Math.max(shown, line.length);
          },
        }
      : {}),
  };
}
