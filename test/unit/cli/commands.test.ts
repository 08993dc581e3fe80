import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readGroup } from '../../../bin/groups.ts';
import { OPS } from '../../../cli/operator/ops.ts';
import { WEBHOOKS } from '../../../cli/partner/webhooks.ts';
import type { Command, CommandSet } from '../../../cli/terminal/command.ts';
import { readCommand, runOf } from '../../../cli/terminal/run-commands.ts';
import { PROJECT } from '../../../lib/project-paths.ts';
import { givenToOps, ops } from '../../support/operator-run.ts';

const SETS = [OPS, WEBHOOKS] as readonly CommandSet<never>[];
const ALL = SETS.flatMap((set) =>
  set.commands.map((command) => [`${set.script} ${command.name}`, set, command] as const),
);

/** What is printed before a command asks for the world it works on. */
async function told(set: CommandSet<never>, ...args: string[]) {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const isWell = await runOf(set, args, { print }, () => Promise.reject(new Error('the command would run')));
  return { isWell, printed };
}

/** The words that a shell makes of a line without variables. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe.each(ALL)('%s', (_, set, command: Command<never>) => {
  const name = command.name.split(' ');

  test('explains itself: an example first, its summary, each argument and option', async () => {
    const { isWell, printed: lines } = await told(set, ...name, '--help');
    const printed = lines.replaceAll(/\s+/g, ' ');
    expect(isWell).toBe(true);
    expect(printed).toContain(`${command.summary}. `);
    for (const argument of Object.keys(command.arguments ?? {})) {
      expect(printed).toContain(`<${argument}>`);
    }
    for (const [option, { help }] of Object.entries(command.options ?? {})) {
      expect(printed).toContain(`--${option}`);
      expect(printed).toContain(help);
    }
    expect(printed).toContain('--json');
    expect(lines.split('\n')[0]).toBe(`Example: ${set.script} ${command.name} ${command.example}`.trim());
  });

  test('takes its example as it is printed, with --json too', () => {
    const { kind } = readCommand(set, [...name, ...words(command.example), '--json']);
    expect(kind).toBe('wanted');
  });

  test('names an option that does not exist, and where to read on', async () => {
    await expect(told(set, ...name, ...words(command.example), '--jsn')).rejects.toThrow(
      /^unknown option '--jsn'\n\(Did you mean --json\?\)\nExample: npm run .*\nAll about it: npm run .* --help$/,
    );
  });
});

test.each(SETS.map((set) => [set.script, set] as const))(
  '%s lists its commands, and fails when none was named',
  async (_, set) => {
    const { isWell, printed } = await told(set);
    expect(isWell).toBe(false);
    for (const { name } of set.commands) {
      const [first, second] = name.split(' ');
      expect(printed).toMatch(
        new RegExp(`^  ${first}${second === undefined ? '' : `.*\\b${second}`}\\b`, 'm'),
      );
    }
    expect((await told(set, '--help')).isWell).toBe(true);
  },
);

test.each([
  [
    WEBHOOKS,
    ['lst'],
    "unknown command 'lst'\n(Did you mean list?)\nAll commands: npm run webhooks -- --help",
  ],
  [OPS, ['circits', 'list'], "unknown command 'circits'\n(Did you mean circuits?)"],
  [
    OPS,
    ['circuits', 'opne'],
    "unknown command 'opne'\n(Did you mean open?)\nAll commands: npm run ops -- circuits --help",
  ],
  [OPS, ['keys', 'list'], "unknown command 'keys'"],
] as const)('%# a command that does not exist is answered with the nearest', async (set, args, sentence) => {
  await expect(told(set as CommandSet<never>, ...args)).rejects.toThrow(sentence);
});

test('a group of commands lists its own', async () => {
  const { isWell, printed } = await told(OPS as CommandSet<never>, 'stuck', '--help');
  expect(isWell).toBe(true);
  expect(printed.match(/^ {2}[a-z]+ /gm)).toEqual([
    ...['list', 'show', 'release', 'skip', 'help'].map((one) => `  ${one} `),
  ]);
});

test.each([
  [['redrive', 'nothing'], 'Must be one of rule, events, deliveries, retry-timers'],
  [['redrive'], "missing required argument 'queue'"],
  [['redrive', 'events', '--limit', '0'], 'Must be a whole number from 1 to 20000'],
  [['redrive', 'events', '--limit', '--yes'], 'It needs a value before --yes.'],
  [['redrive', 'events', '--yes=no'], "unknown option '--yes=no'"],
  [['redrive', 'events', '--stage', 'a/b'], 'Must be the name of a deployment: letters, digits'],
  [
    ['redrive', 'events', '--stage', 'dev', '--stack', 'acme'],
    '--stage dev and --stack acme name two deployments',
  ],
  [
    ['redrive', 'events', '--stage', 'prod', '--yes', '--confirm', 'dev'],
    '--stage prod --yes --confirm prod',
  ],
  [['redrive', 'deliveries', '--unfold', '--stage', 'prod'], 'Add --confirm prod'],
  [['stuck', 'show', 'pay-1'], 'Must be a subscription and a payment, joined by a dot: sub_….pay_…'],
  [['stuck', 'skip', 'all', '--yes'], 'Must be a subscription and a payment'],
  [['personal-data', 'erase', 'bak/ery', 'pay-1'], 'Must be 1 to 64 of A-Z a-z 0-9 _ -'],
  [['circuits', 'open', 'bakery', 'pay_1'], 'Must be the id of a subscription: sub_…'],
  [['circuits', 'show', 'bakery', 'sub_1', '--yes'], "unknown option '--yes'"],
  [
    ['restore', 'idempotency', '--from', 'old'],
    'Must be one of subscriptions, signing-secrets, history, ordering-keys',
  ],
  [['restore', 'ordering-keys'], "required option '--from <NAME>' not specified"],
  [['restore', 'ordering-keys', '--from', 'old table'], 'Must be the name of a table'],
  [
    ['restore', 'ordering-keys', '--from', 'old', '--continue', 'there'],
    'Must be a position that an earlier run printed',
  ],
  [['send', '--payments', '1.5'], 'Must be a whole number from 1 to 100000'],
  [['send', '--rate=0'], 'Must be a number from 0.1 to 1000'],
  ...['0x5', '1e1', ' 5 ', '+5', ''].flatMap((text): [string[], string][] => [
    [['send', `--payments=${text}`], 'Must be a whole number from 1 to 100000'],
    [['send', `--rate=${text}`], 'Must be a number from 0.1 to 1000'],
  ]),
  [['send', '--events-per-payment', '4-2'], 'Must lie within 1 to 20, the lesser first'],
  [['token', 'destroy', 'shop'], "unknown command 'destroy'"],
  [['token', 'revoke', 'shop', 'ci'], 'Must be tok_ and 16 of 0-9 a-f, as token list shows it'],
  [['token', 'create', 'shop', '--scopes', 'read,admin'], 'Must be read or write, or both joined'],
  [['doctor', '--only', 'nothing'], 'Must be of stacks, end-to-end,'],
  [['preflight', '--stage', 'local'], 'Must be one of dev, prod'],
  [['cost', '--events-per-day', 'many'], 'Must be a number from 0 to 1000000000'],
  [['cost', '--region', 'eu-north-1'], 'Must be one of us-east-1, eu-west-1, eu-west-2'],
])('ops %j is refused with what is expected', async (args, sentence) => {
  await expect(ops(args)).rejects.toThrow(sentence);
});

test('a group that is named twice groups once', () => {
  const { by } = givenToOps<{ by: string[] }>('ask', 'failures', '--by', 'service,reason,service');
  expect(by).toEqual(['service', 'reason']);
});

test.each([
  'redrive events --yes',
  'stuck release sub_1.pay --yes',
  'personal-data erase bakery pay-1 --yes',
  'circuits open bakery sub_1 --yes',
  'restore ordering-keys --from old --yes',
  'send',
])('on prod `%s` wants the name of the stage once more', async (line) => {
  await expect(ops([...line.split(' '), '--stage', 'prod'])).rejects.toThrow(
    '--stage prod --yes --confirm prod',
  );
});

test('a refusal says what was given, what is expected, an example, and where to read on', async () => {
  await expect(ops(['redrive', 'events', '--limit', '0'])).rejects.toThrow(
    /^option '--limit <N>' argument '0' is invalid\. Must be .*\nExample: npm run ops -- redrive deliveries --stage dev\nAll about it: npm run ops -- redrive --help$/,
  );
});

test.each([
  ['looking at prod', ['redrive', 'events', '--stage', 'prod']],
  ['prod, its name typed again', ['redrive', 'events', '--stage', 'prod', '--yes', '--confirm', 'prod']],
  [
    'unfolding on prod, its name typed again',
    ['redrive', 'events', '--unfold', '--stage', 'prod', '--confirm', 'prod'],
  ],
  ['the name of an alarm', ['redrive', 'retry-timers-dead-letters', '--stage', 'dev', '--yes']],
])('redrive continues with %s', async (_, args) => {
  await expect(ops(args)).rejects.toThrow('it has asked for a stage');
});

test.each([
  ['ops', ['redrive', 'deliveries', '--help']],
  ['webhooks', ['tail', '--json']],
  ['local', ['--port', '4600']],
  ['token', ['create', 'bakery']],
  ['console', []],
  ['portal', ['bakery']],
])('%s takes all that is typed behind it', (name, args) => {
  expect(readGroup([name, ...args])).toMatchObject({ kind: 'group', group: { name }, args });
});

test('the overview begins with an example, and lists each group', () => {
  for (const asked of [['--help'], ['help']]) {
    const read = readGroup(asked);
    expect(read).toMatchObject({ kind: 'told', isAsked: true });
    const { text } = read as { text: string };
    expect(text.split('\n')[0]).toBe('Example: npx payhooks local');
    expect([...text.matchAll(/^ {2}([a-z]\S+) {2,}\S/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(['local', 'webhooks', 'ops', 'token', 'console', 'portal']),
    );
  }
  expect(readGroup([])).toMatchObject({ kind: 'told', isAsked: false });
});

test('what is not a group is refused, with what was perhaps meant', () => {
  expect(() => readGroup(['opss'])).toThrow(
    "unknown command 'opss'\n(Did you mean ops?)\nAll commands: npx payhooks --help",
  );
});

function typed(...args: string[]) {
  const node = path.join(PROJECT, 'node_modules/.bin/node');
  const { status, stdout, stderr } = spawnSync(node, [path.join(PROJECT, 'bin/cli.ts'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

test('from a command line: token is short for ops token, and a word too many is an error of one line', () => {
  expect(typed('token', 'create', '--help').stdout).toBe(typed('ops', 'token', 'create', '--help').stdout);
  expect(typed('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(typed('tail')).toEqual({
    status: 1,
    stdout: '',
    stderr: "unknown command 'tail'\nAll commands: npx payhooks --help\n",
  });
});
