import { OPS } from '../../../cli/operator/ops.ts';
import { WEBHOOKS } from '../../../cli/partner/webhooks.ts';
import type { Command, CommandSet } from '../../../cli/terminal/command.ts';
import { readCommand, runOf } from '../../../cli/terminal/run-commands.ts';
import { ops } from '../../support/operator-run.ts';

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

  test('explains itself: its summary, each argument and option, and an example', async () => {
    const { isWell, printed } = await told(set, ...name, '--help');
    expect(isWell).toBe(true);
    expect(printed).toMatch(/^[A-Z].{10,120}\.\n/);
    for (const argument of Object.keys(command.arguments ?? {})) {
      expect(printed).toContain(`<${argument}>`);
    }
    for (const [option, { help }] of Object.entries(command.options ?? {})) {
      expect(printed).toContain(`--${option}`);
      expect(printed).toContain(help);
    }
    expect(printed).toContain('--json');
    expect(printed).toContain(`Example: ${set.script} ${command.name}`);
  });

  test('takes its example as it is printed, with --json too', () => {
    const { kind } = readCommand(set, [...name, ...words(command.example), '--json']);
    expect(kind).toBe('wanted');
  });

  test('names an option that does not exist, and where to read on', async () => {
    await expect(told(set, ...name, '--jsn')).rejects.toThrow(
      /There is no option --jsn\. Did you mean --json\?\n(.*\n)*Example: npm run .*\nAll about it: npm run .* --help$/,
    );
  });
});

test.each(SETS.map((set) => [set.script, set] as const))(
  '%s lists its commands, and fails when none was named',
  async (_, set) => {
    const { isWell, printed } = await told(set);
    expect(isWell).toBe(false);
    for (const { name, summary } of set.commands) {
      expect(printed).toMatch(
        new RegExp(`^  ${name}\\b.*${summary.slice(-20).replaceAll('?', '\\?')}$`, 'm'),
      );
    }
    expect((await told(set, '--help')).isWell).toBe(true);
  },
);

test.each([
  [WEBHOOKS, ['lst'], 'There is no command "lst". Did you mean list?\nThere is list, create, show,'],
  [OPS, ['circits', 'list'], 'There is no command "circits". Did you mean circuits?'],
  [OPS, ['circuits', 'opne'], 'There is no command "circuits opne". Did you mean circuits open?'],
  [OPS, ['keys', 'list'], 'There is no command "keys".'],
] as const)('%# a command that does not exist is answered with the nearest', async (set, args, sentence) => {
  await expect(told(set as CommandSet<never>, ...args)).rejects.toThrow(sentence);
});

test('a group of commands lists its own', async () => {
  const { isWell, printed } = await told(OPS as CommandSet<never>, 'stuck', '--help');
  expect(isWell).toBe(true);
  expect(printed.match(/^ {2}[a-z-]+ [a-z]+ /gm)).toEqual([
    '  npm run ',
    ...['list', 'show', 'release', 'skip'].map((one) => `  stuck ${one} `),
  ]);
});

test.each([
  [['redrive', 'nothing'], '<queue>: must be one of rule, events, deliveries, retry-timers, not "nothing"'],
  [['redrive'], 'redrive needs <queue>; nothing was given'],
  [['redrive', 'events', '--limit', '0'], '--limit: must be a whole number from 1 to 20000, not "0"'],
  [['redrive', 'events', '--limit', ' '], '--limit: must be a whole number from 1 to 20000, not " "'],
  [['redrive', 'events', '--limit', '--yes'], '--limit needs a value; one that begins with a dash'],
  [['redrive', 'events', '--yes=no'], '--yes takes no value, not "no"'],
  [['redrive', 'events', '--stage', 'live'], '--stage: must be one of local, dev, prod, not "live"'],
  [['redrive', 'events', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
  [
    ['redrive', 'events', '--stage', 'prod', '--yes', '--confirm', 'dev'],
    '--stage prod --yes --confirm prod',
  ],
  [['redrive', 'deliveries', '--unfold', '--stage', 'prod'], 'Add --confirm prod'],
  [['stuck', 'show'], 'stuck show needs <ordering-key>; nothing was given'],
  [
    ['stuck', 'show', 'pay-1'],
    '<ordering-key>: must be a subscription and a payment, joined by a dot: sub_….pay_…',
  ],
  [['stuck', 'skip', 'all', '--yes'], '<ordering-key>: must be a subscription and a payment'],
  [['stuck', 'release', 'sub_1.pay', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
  [
    ['personal-data', 'erase', 'bakery'],
    'personal-data erase needs <service> <payment>; this was given: bakery',
  ],
  [
    ['personal-data', 'erase', 'bak/ery', 'pay-1'],
    '<service>: must be 1 to 64 of A-Z a-z 0-9 _ -, not "bak/ery"',
  ],
  [
    ['personal-data', 'erase', 'bakery', 'pay 1'],
    '<payment>: must be 1 to 64 of A-Z a-z 0-9 _ -, not "pay 1"',
  ],
  [['personal-data', 'export', 'bakery', 'pay-1', '--yes'], 'There is no option --yes.'],
  [['personal-data', 'erase', 'bakery', 'pay-1', '--out', 'it'], 'There is no option --out.'],
  [
    ['personal-data', 'erase', 'bakery', 'pay-1', '--stage', 'prod', '--yes'],
    '--stage prod --yes --confirm prod',
  ],
  [['circuits', 'open', 'bakery'], 'circuits open needs <service> <subscription>; this was given: bakery'],
  [
    ['circuits', 'open', 'bakery', 'pay_1'],
    '<subscription>: must be the id of a subscription: sub_…, not "pay_1"',
  ],
  [['circuits', 'show', 'bakery', 'sub_1', '--yes'], 'There is no option --yes.'],
  [['circuits', 'open', 'bakery', 'sub_1', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
  [
    ['restore', 'idempotency', '--from', 'old'],
    '<table>: must be one of subscriptions, signing-secrets, history, keys',
  ],
  [['restore', 'keys'], '--from is needed: the restored table'],
  [['restore', 'keys', '--from', 'old table'], '--from: must be the name of a table, not "old table"'],
  [
    ['restore', 'keys', '--from', 'old', '--continue', 'there'],
    '--continue: must be a position that an earlier run printed',
  ],
  [['restore', 'keys', '--from', 'old', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
  [['send', '--payments', '1.5'], '--payments: must be a whole number from 1 to 100000, not "1.5"'],
  [['send', '--rate=0'], '--rate: must be a number from 0.1 to 1000, not "0"'],
  [['send', '--service', 'a b'], '--service: must be 1 to 64 of A-Z a-z 0-9 _ -, not "a b"'],
  [
    ['send', '--events-per-payment', '4-2'],
    '--events-per-payment: must lie within 1 to 20, the lesser first, not "4-2"',
  ],
  [['token', 'destroy', 'shop'], 'There is token create, token list, token revoke.'],
  [['token', 'revoke', 'shop', 'ci'], '<token_id>: must be tok_ and 16 of 0-9 a-f, as token list shows it'],
  [['token', 'create', 'shop', '--scopes', 'read,admin'], '--scopes: must be read or write, or both joined'],
  [['token', 'create', 'shop', '--scopes', ''], '--scopes: must be read or write, or both joined'],
  [['token', 'create', 'shop', '--requests-per-minute', '60001'], 'must be a whole number from 1 to 60000'],
  [['token', 'create', 'shop', '--expires-in-days', '0'], 'must be a whole number from 1 to 9999'],
  [['payment', 'shop', 'pay 1'], '<payment>: must be 1 to 64 of A-Z a-z 0-9 _ -, not "pay 1"'],
  [['doctor', '--only', 'nothing'], '--only: must be of stacks, end-to-end,'],
  [['preflight', '--stage', 'local'], '--stage: must be one of dev, prod, not "local"'],
  [['preflight', '--events-per-second', '0'], 'must be a whole number from 1 to 100000'],
  [['cost', '--events-per-day', 'many'], '--events-per-day: must be a number from 0 to 1000000000'],
  [['cost', '--body-bytes', '20000'], '--body-bytes: must be a whole number from 1 to 16384'],
  [['cost', '--region', 'eu-north-1'], '--region: must be one of us-east-1, eu-west-1, eu-west-2'],
  [['cost', '--stage', 'local'], '--stage: must be one of dev, prod, not "local"'],
  [['send', '--stage', 'prod'], '--stage prod --yes --confirm prod'],
])('ops %j is refused with what was given and what is expected', async (args, sentence) => {
  await expect(ops(args)).rejects.toThrow(sentence);
});

test('everything that is wrong is told at once', async () => {
  await expect(ops(['redrive', 'nothing', '--limit', '0', '--stage', 'live'])).rejects.toThrow(
    /^<queue>: .*\n--limit: .*\n--stage: .*\nExample: npm run ops -- redrive deliveries --stage dev\nAll about it: npm run ops -- redrive --help$/,
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
])('redrive goes on with %s', async (_, args) => {
  await expect(ops(args)).rejects.toThrow('it has asked for a stage');
});
