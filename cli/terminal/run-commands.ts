import type { Command, CommandSet } from './command.ts';
import { commandHelp, overview } from './command-help.ts';
import { ExplainedError } from './explained-error.ts';
import { explanation } from './explanation.ts';
import { nearest } from './nearest.ts';
import { printableError } from './printable.ts';
import { readArguments } from './read-arguments.ts';
import { type Terminal, terminal } from './terminal.ts';

/** Help or an overview: nothing is run. */
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
  const isHelp = (word: string | undefined) => word === '--help' || word === 'help';
  const { found, rest, group } = commandIn(set, args);
  if (found === undefined) {
    const isAsked = isHelp(rest[0]);
    if (rest[0] === undefined || isAsked) {
      return { kind: 'told', text: overview(set, group), isAsked };
    }
    throw unknownCommand(set, group, args.slice(0, args.length - rest.length + 1).join(' '));
  }
  const given = readArguments(found, set.script, rest);
  return given === 'help'
    ? { kind: 'told', text: commandHelp(found, set.script), isAsked: true }
    : { kind: 'wanted', command: found, given };
}

/** A command by its words, what follows them, and else the commands that begin so. */
function commandIn<World>({ commands }: CommandSet<World>, args: readonly string[]) {
  for (const count of [1, 2, 0]) {
    const found = commands.find(({ name }) => name === args.slice(0, count).join(' '));
    if (found !== undefined) {
      return { found, rest: args.slice(count), group: [found] };
    }
  }
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  return group.length === 0
    ? { found: undefined, rest: args, group: commands }
    : { found: undefined, rest: args.slice(1), group };
}

function unknownCommand<World>(
  { script }: CommandSet<World>,
  group: readonly Command<World>[],
  given: string,
): Error {
  const names = group.map(({ name }) => name);
  const words = names.map((name) => name.split(' ').slice(0, given.split(' ').length).join(' '));
  const meant = nearest(given, [...new Set(words)]);
  return new ExplainedError(
    [
      `There is no command ${JSON.stringify(given)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      `There is ${names.join(', ')}.`,
      `What each does: ${script} --help`,
    ].join('\n'),
  );
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

/**
 * Runs what was typed; the exit code says whether all is well. An error goes to stderr, as JSON with
 * `--json`.
 *
 * @param signal aborted once the person has pressed Ctrl-C, who then needs no explanation
 * @param remedy what else to do about an error
 */
export async function runCommands<World>(
  set: CommandSet<World>,
  world: () => World | Promise<World>,
  {
    signal,
    remedy = () => undefined,
  }: { signal?: () => AbortSignal | undefined; remedy?: (error: unknown) => string | undefined } = {},
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    process.exitCode = (await runOf(set, args, terminal(args), world)) ? 0 : 1;
  } catch (error) {
    if (signal?.()?.aborted) {
      process.exitCode = commandIn(set, args).found?.errorCode ?? 130;
      return;
    }
    process.exitCode = commandIn(set, args).found?.errorCode ?? 1;
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
