import { ExplainedError } from '../terminal/explained-error.ts';
import type { Command, World } from './command.ts';
import { changes } from './commands/changes.ts';
import { create } from './commands/create.ts';
import { list } from './commands/list.ts';
import { message } from './commands/message.ts';
import { messages, payment } from './commands/messages.ts';
import { ping } from './commands/ping.ts';
import { recover } from './commands/recover.ts';
import { resend } from './commands/resend.ts';
import { revoke, rotate } from './commands/secrets.ts';
import { show } from './commands/show.ts';
import { deleteIt, enable, pause } from './commands/state.ts';
import { statistics } from './commands/statistics.ts';
import { tail } from './commands/tail.ts';
import { update } from './commands/update.ts';
import { COMMON, readArguments } from './read-arguments.ts';

/** In the order in which one comes to need them. */
export const COMMANDS: readonly Command[] = [
  list,
  create,
  show,
  update,
  pause,
  enable,
  deleteIt,
  ping,
  tail,
  messages,
  payment,
  message,
  resend,
  recover,
  statistics,
  rotate,
  revoke,
  changes,
];

/**
 * Runs a command of the command-line client.
 *
 * @param world is asked for only once a command is to be run
 * @returns whether all is well
 * @throws ExplainedError when the command cannot be understood, or the API refuses
 */
export async function webhooks(
  [name, ...args]: readonly string[],
  print: (text: string) => void,
  world: () => Promise<World>,
): Promise<boolean> {
  if (name === undefined || name === '--help' || name === 'help') {
    print(overview());
    return name !== undefined;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    throw new ExplainedError(
      `There is no command ${JSON.stringify(name)}; there is ${COMMANDS.map((one) => one.name).join(', ')}.`,
    );
  }
  const given = readArguments(command, args);
  if (given.flag('help')) {
    print(helpOf(command));
    return true;
  }
  return command.run(given, await world());
}

function overview(): string {
  return `Looks after the webhooks of your service, by its HTTP API.

  npm run webhooks -- <command> [arguments] [options]

${lines(COMMANDS.map((command) => [usage(command), command.summary]))}

  <command> --help   explains one of them
  --json             prints the API's answer as JSON, one line (tail: one line a delivery); a refusal too, on stderr

Which API, and as whom: PAYHOOKS_API_URL and PAYHOOKS_TOKEN in the environment; without them the
local stack that runs, as its service demo. Exit code 1: it could not be done, or did not go well.
`;
}

function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON }).map(([name, { value, help }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  return `${command.summary}

  npm run webhooks -- ${usage(command)} [options]

${lines(options)}
${command.remarks === undefined ? '' : `\n${command.remarks}\n`}`;
}

function usage({ name, takes }: Command): string {
  return [name, ...takes.map((argument) => `<${argument}>`)].join(' ');
}

function lines(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}   ${second}`).join('\n');
}
