import { CommanderError } from 'commander';
import type { Command, CommandSet } from './command.ts';
import { ExplainedError, explanation } from './explanation.ts';
import { parserOf } from './parser.ts';
import { printableError, type Terminal, terminal } from './terminal.ts';

/** Help: nothing is run. */
interface Told {
  readonly kind: 'told';
  readonly text: string;
  /** False when no command was named. */
  readonly isAsked: boolean;
}

interface Wanted<World> {
  readonly kind: 'wanted';
  readonly command: Command<World>;
  readonly given: Parameters<Command<World>['run']>[0];
}

/** @throws ExplainedError when there is no such command, or it refuses its arguments */
export function readCommand<World>(set: CommandSet<World>, args: readonly string[]): Told | Wanted<World> {
  let written = '';
  const wanted: Wanted<World>[] = [];
  const parser = parserOf(
    set,
    (command, given) => wanted.push({ kind: 'wanted', command, given }),
    (text) => {
      written += text;
    },
  );
  try {
    parser.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    if (!error.code.startsWith('commander.help')) {
      throw new ExplainedError(written.trimEnd());
    }
    return { kind: 'told', text: written, isAsked: error.exitCode === 0 };
  }
  const [read] = wanted;
  return read ?? { kind: 'told', text: written, isAsked: false };
}

/** Of the command that was typed, when it cannot be run at all. */
function errorCodeOf<World>({ commands }: CommandSet<World>, [word = '']: readonly string[]) {
  return commands.find(({ name, synonyms = [] }) => [name, ...synonyms].includes(word))?.errorCode;
}

/**
 * Runs a command of a set.
 *
 * @param world is asked for only once a command is to be run
 * @returns whether all is well
 * @throws ExplainedError when the command cannot be understood or done
 */
export async function runOf<World>(
  set: CommandSet<World>,
  args: readonly string[],
  { print, progress }: Terminal,
  world: () => World | Promise<World>,
): Promise<boolean> {
  const read = readCommand(set, args);
  if (read.kind === 'told') {
    print(read.text);
    return read.isAsked;
  }
  const { command, given } = read;
  return command.run(given, {
    ...(await world()),
    print: (text, json) => print(`${given.json ? JSON.stringify(json) : text}\n`),
    ...(progress === undefined ? {} : { progress }),
  });
}

interface RunOptions {
  /** @default - what was typed behind the script */
  readonly args?: readonly string[];
  /** Aborted once the person has pressed Ctrl-C, who then needs no explanation. */
  readonly signal?: () => AbortSignal | undefined;
  /** What else to do about an error. */
  readonly remedy?: (error: unknown) => string | undefined;
}

/**
 * Runs what was typed; the exit code says whether all is well. An error goes to stderr, as JSON with
 * `--json`.
 */
export async function runCommands<World>(
  set: CommandSet<World>,
  world: () => World | Promise<World>,
  { args = process.argv.slice(2), signal, remedy = () => undefined }: RunOptions = {},
): Promise<void> {
  try {
    process.exitCode = (await runOf(set, args, terminal(args), world)) ? 0 : 1;
  } catch (error) {
    if (signal?.()?.aborted) {
      process.exitCode = errorCodeOf(set, args) ?? 130;
      return;
    }
    process.exitCode = errorCodeOf(set, args) ?? 1;
    const text = explanation(error);
    const problem = error instanceof ExplainedError ? error.problem : { detail: text };
    const isJson = args.includes('--json') && text !== undefined;
    console.error(printableError(isJson ? JSON.stringify(problem) : (text ?? error)));
    const todo = remedy(error);
    if (todo !== undefined && !isJson) {
      console.error(printableError(todo));
    }
  }
}
