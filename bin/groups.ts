import { CommanderError, Command as Parser } from 'commander';
import { ExplainedError } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';
import { version } from '../cli/terminal/version.ts';

type Run = (args: readonly string[]) => Promise<void>;

interface Group {
  readonly name: string;
  readonly summary: string;
  /** Loads it only when somebody wants it: an operator's commands need much of the AWS SDK. */
  readonly load: () => Promise<Run>;
}

const operator = async (): Promise<Run> => (await import('./ops.ts')).runOps;

const partner = async (): Promise<Run> => (await import('./webhooks.ts')).runWebhooks;

const GROUPS: readonly Group[] = [
  {
    name: 'local',
    summary: 'Start an AWS emulator on this machine and deploy your app to it, until Ctrl-C',
    load: async () => (await import('./local.ts')).runLocal,
  },
  {
    name: 'webhooks',
    summary: 'Manage the webhooks of a service through its HTTP API, as a partner',
    load: partner,
  },
  short('listen', 'webhooks listen: forward events to this machine', partner),
  short('mcp', 'webhooks mcp: the API as tools for an agent', partner),
  { name: 'ops', summary: 'Look into a deployment and change it, as an operator', load: operator },
  ...['token', 'console', 'portal'].map((name) => short(name, `ops ${name}`, operator)),
];

function short(name: string, of: string, load: Group['load']): Group {
  return {
    name,
    summary: `Short for ${of}`,
    load: async () => {
      const run = await load();
      return (args) => run([name, ...args]);
    },
  };
}

/** What was typed: help to print, or the group to run and its arguments. */
export type Typed =
  | { readonly kind: 'told'; readonly text: string; readonly isAsked: boolean }
  | { readonly kind: 'group'; readonly group: Group; readonly args: readonly string[] };

/** @throws ExplainedError when there is no such group */
export function readGroup(typed: readonly string[]): Typed {
  const [name, ...args] = typed;
  const group = GROUPS.find((candidate) => candidate.name === name);
  if (group !== undefined) {
    return { kind: 'group', group, args };
  }
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const parser = new Parser('npx payhooks')
    .description('Ordered, signed, observable webhooks: try them, deploy them, look after them.')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'explain the command')
    .helpCommand('help', 'explain the command')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: (error) => write(error.replace(/^error: /, '')),
    })
    .addHelpText('before', 'Example: npx payhooks local\n')
    .addHelpText('after', '\nEach explains its own commands: npx payhooks webhooks --help')
    .showHelpAfterError('All commands: npx payhooks --help');
  for (const { name, summary } of GROUPS) {
    parser.command(name).summary(summary);
  }
  try {
    parser.parse(typed, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    if (!/^commander\.(help|version)/.test(error.code)) {
      throw new ExplainedError(text.trimEnd());
    }
    return { kind: 'told', text, isAsked: error.exitCode === 0 };
  }
  return { kind: 'told', text, isAsked: false };
}

/** Runs what was typed behind `npx payhooks`; the exit code says whether all is well. */
export async function runPayhooks(typed: readonly string[]): Promise<void> {
  const read = readGroup(typed);
  if (read.kind === 'told') {
    terminal([]).print(read.text);
    process.exitCode = read.isAsked ? 0 : 1;
    return;
  }
  const run = await read.group.load();
  await run(read.args);
}
