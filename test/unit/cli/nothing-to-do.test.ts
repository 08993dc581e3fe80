import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { inMemoryOperators } from '../../../cli/operator/audit/audit-command.ts';
import { OPS } from '../../../cli/operator/ops.ts';
import { tokenCommands } from '../../../cli/operator/token/token-commands.ts';
import { WEBHOOKS } from '../../../cli/partner/webhooks.ts';
import type { StageAccess } from '../../../cli/stage/stage-access.ts';
import { inMemoryTokens } from '../../../functions/core/api/api-token-store.ts';
import { inMemoryRegistry } from '../../../functions/core/api/subscription-registry.ts';
import { type Circuit, CLOSED } from '../../../functions/core/circuit/circuit.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../support/builders.ts';
import { ops } from '../../support/operator-run.ts';
import { registryOfShop } from '../api/builders.ts';
import { clientWorld } from './partner/client-world.ts';

const OPERATOR = {
  'circuits list': [''],
  'circuits open': ['shop sub_1', 'shop sub_1 --yes'],
  'circuits close': ['shop sub_1', 'shop sub_1 --yes'],
  'circuits drain': ['shop sub_1', 'shop sub_1 --yes'],
  'stuck list': [''],
  'stuck release': ['all', 'all --yes'],
  redrive: ['rule', 'deliveries --unfold', 'events --yes', 'retry-timers --yes'],
  restore: ['history --from old', 'ordering-keys --from old --yes'],
  audit: [''],
  'token list': ['shop'],
};
const PARTNER = {
  list: [''],
  messages: ['sub_1'],
  statistics: ['sub_1'],
  changes: [''],
  sessions: [''],
};

/** They look at or change the one thing that they name, make something, or follow and examine. */
const OTHERS = [
  ...[
    'query',
    'ask',
    'discard',
    'allow-rules',
    'events',
    'outputs',
    'doctor',
    'preflight',
    'cost',
    'schema',
    'send',
    'message',
    'payment',
    'stuck show',
    'stuck skip',
    'stage-keys list',
    'stage-keys rotate',
  ],
  ...['circuits show', 'personal-data export', 'personal-data erase', 'token create', 'token revoke'],
  ...['console', 'end-console', 'portal', 'end-session'],
  ...[
    'create',
    'show',
    'update',
    'ping',
    'tail',
    'listen',
    'pause',
    'enable',
    'probe',
    'delete',
    'rotate',
    'revoke',
  ],
  ...['message', 'resend', 'cancel', 'recover', 'stop', 'payment', 'portal', 'end-session', 'mcp', 'notices'],
];

const lines = (of: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(of).flatMap(([name, some]) => some.map((rest) => [`${name} ${rest}`.trim()]));

test('it is decided for each command', () => {
  const decided = [...Object.keys(OPERATOR), ...Object.keys(PARTNER), ...OTHERS];
  const all = [...OPS.commands, ...WEBHOOKS.commands].map(({ name }) => name);
  expect(decided.sort()).toEqual(all.sort());
});

const AS_WISHED: Readonly<Record<string, Circuit>> = {
  open: { ...CLOSED, state: 'open', cool_down_ms: 1_000 },
  drain: { ...CLOSED, state: 'draining', window: 1 },
};

/** A stage where nothing waits, has failed or was done. Its one circuit is as it is wished to be. */
function idleStage(line: string, over: Partial<Subscription> = {}): StageAccess {
  const circuit = AS_WISHED[line.split(' ')[1] ?? ''];
  const one = subscription({
    service_id: 'shop',
    subscription_id: 'sub_1',
    ...(circuit && { circuit }),
    ...over,
  });
  const nothing = { Items: [], Count: 0, Messages: [], Attributes: {} };
  const isCircuit = line.startsWith('circuits ') && !line.endsWith('list');
  const item = isCircuit ? { Item: marshall(one, { removeUndefinedValues: true }) } : {};
  const client = { send: async () => ({ ...nothing, ...item }) };
  return {
    dynamodb: client as unknown as DynamoDBClient,
    sqs: client as unknown as SQSClient,
    tables: async () => ({ history: 'h', keys: 'k', subscriptions: 's' }),
    queueUrl: async () => 'https://queue.example',
    isStopped: async () => true,
    operators: async () => inMemoryOperators(),
  } as unknown as StageAccess;
}

test.each(lines(OPERATOR))('%s succeeds where there is nothing to do, and says so', async (line) => {
  const access = async () => idleStage(line);
  const commands = [
    ...OPS.commands.filter(({ name }) => !name.startsWith('token ')),
    ...tokenCommands(async () => inMemoryTokens()),
  ];
  for (const args of [line.split(' '), [...line.split(' '), '--json']]) {
    const { isWell, printed } = await ops(args, { access }, commands);
    expect(isWell).toBe(true);
    expect(printed).not.toBe('');
  }
});

test.each(lines(PARTNER))('%s succeeds where there is nothing, and says so', async (line) => {
  const subscriptions = line === 'list' ? inMemoryRegistry() : await registryOfShop();
  const { run } = clientWorld({ subscriptions });
  for (const args of [line.split(' '), [...line.split(' '), '--json']]) {
    expect(await run(...args)).toMatchObject({ isWell: true, output: expect.stringMatching(/./) });
  }
});

test('a circuit that its partner decides is not as the operator wishes: that is no success', async () => {
  const line = 'circuits close shop sub_1';
  const access = async () => idleStage(line, { state: 'paused' });
  await expect(ops(line.split(' '), { access })).rejects.toThrow('sub_1 is paused by its partner');
});
