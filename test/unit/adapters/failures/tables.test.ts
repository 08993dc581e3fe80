import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { historyWriter } from '../../../../functions/adapters/dynamodb/history/history-writer.ts';
import { recoveryTable } from '../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { resourceTable } from '../../../../functions/adapters/dynamodb/history/resource-table.ts';
import { moveCheck } from '../../../../functions/adapters/dynamodb/ordering-keys/check-mover.ts';
import { orderingKeyCommitter } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { orderingKeyReader } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { sequenceTable } from '../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { answerCounter } from '../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import {
  endpointHealthReplacer,
  endpointHealthWriter,
} from '../../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { RollCall } from '../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { routeTable } from '../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { saySlow } from '../../../../functions/adapters/dynamodb/subscriptions/slow-attempts.ts';
import { subscriptionRegistry } from '../../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { inMemorySealing } from '../../../../functions/adapters/kms/sealing.ts';
import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { newSequence } from '../../../../functions/core/sequence/payment-sequence.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { type Answered, failingTransport } from '../../../support/network/failing-transport.ts';
import { heldOf } from '../../../support/promises/held-event.ts';
import { paymentToTest } from '../../../support/promises/payment-to-test.ts';
import { someRecovery } from '../../../support/promises/recoveries.ts';

const now = () => TEN_O_CLOCK_MS;
const { seal } = inMemorySealing();
const NAMES = {
  orderingKeys: 'keys',
  history: 'history',
  subscriptions: 'subscriptions',
  signingSecrets: 'secrets',
};
const { key, queued, record } = paymentToTest();

/** What each failure looks like, alone and inside a transaction. */
const FAILURES = {
  throttled: (action: string): Answered =>
    action.startsWith('Transact')
      ? { error: 'TransactionCanceledException', reasons: ['None', 'ProvisionedThroughputExceeded'] }
      : { error: 'ProvisionedThroughputExceededException' },
  'throttled by its account': (): Answered => ({ error: 'ThrottlingException' }),
  'in conflict': (action: string): Answered =>
    action.startsWith('Transact')
      ? { error: 'TransactionCanceledException', reasons: ['None', 'TransactionConflict'] }
      : { error: 'TransactionConflictException' },
};
type Failure = keyof typeof FAILURES;

type Result = { readonly outcome: unknown } | { readonly error: string };

/** Calls an adapter while the first calls fail, or all; a successful answer is empty. */
async function result(
  call: (client: DynamoDBClient) => Promise<unknown>,
  failure: Failure,
  times: number,
  on = '',
): Promise<Result> {
  let failed = 0;
  const { config } = failingTransport(({ action }) => {
    if (failed < times && action.includes(on)) {
      failed += 1;
      return FAILURES[failure](action);
    }
    return {};
  });
  const client = new DynamoDBClient(config);
  try {
    return { outcome: await call(client) };
  } catch (error) {
    return { error: (error as Error).name };
  } finally {
    client.destroy();
  }
}

const failedWith: unknown[] = [];
beforeEach(() => failedWith.splice(0));
const note = (error: unknown) => failedWith.push((error as Error).name);

const commit = {
  ...{ token: 'token', orderingKey: key.waiting.ordering_key, known: undefined, next: key.waiting },
  ...{ queuedMessages: [queued(1)], removed: [], outcomes: [] },
};
const some = subscription();
const health = endpointHealthOf(some);
const counted: EndpointHealth = { ...health, circuit: { ...health.circuit, revision: 1 } };
const payment = newSequence({ service_id: 'bakery', payment_id: 'pay-1' }, 'shard-01');
const sequences = (client: DynamoDBClient) =>
  sequenceTable(client, { table: 'sequences', now, onInternalError: note });
const registry = (client: DynamoDBClient) =>
  subscriptionRegistry(client, { tables: NAMES, graceMs: 0, seal, now });
const recoveries = (client: DynamoDBClient) =>
  recoveryTable(client, { table: 'subscriptions', graceMs: 0, retentionDays: 1, now });

/** What the adapters are asked, and what a success is with empty answers. */
const CALLS = {
  commit: [(client) => orderingKeyCommitter(client, NAMES, 90)(commit), 'written'],
  waitingIn: [(client) => orderingKeyReader(client, NAMES)(commit.orderingKey), { waiting: [], isAll: true }],
  moveCheck: [
    (client) =>
      moveCheck(client, {
        table: 'keys',
        address: { ordering_key: 'k' },
        check: 'check_at',
        from: 'a',
        to: 'b',
      }),
    true,
  ],
  save: [
    async (client) => {
      const { untaken } = await historyWriter(client, 'history', 90)([{ record: record(1) }]);
      return untaken.size;
    },
    0,
  ],
  keepResource: [
    (client) =>
      resourceTable(client, 'history', 90)({ service_id: 's', event_id: 'e', payment_id: 'p' }, '{}', 0),
    's#e',
  ],
  routesOf: [async (client) => [...(await routeTable(client, 'subscriptions')(['shop'])).untaken], []],
  addSubscription: [(client) => registry(client).add(some, keptSecrets()), 'added'],
  changeEndpointHealth: [
    (client) => endpointHealthWriter(client, { table: 't', graceMs: 0 })(some, () => counted),
    { before: health, after: counted },
  ],
  replaceEndpointHealth: [
    (client) => endpointHealthReplacer(client, { table: 't', graceMs: 0 })(some, health, counted),
    true,
  ],
  advanceSequence: [
    async (client) => (await sequences(client).advance(undefined, payment, undefined))?.revision,
    1,
  ],
  hold: [(client) => sequences(client).hold(heldOf('pay-1', 2)), undefined],
  drop: [(client) => sequences(client).drop([heldOf('pay-1', 2).event]), undefined],
  startRecovery: [async (client) => (await recoveries(client).start(someRecovery())).kind, 'started'],
  advanceRecovery: [(client) => recoveries(client).advance(someRecovery(), someRecovery()), true],
  countAnswers: [
    (client) =>
      answerCounter(
        client,
        { table: 't', now },
        note,
      )('sub_1', {
        ...{ succeeded: 1, refused: 0, overloaded: 0, unwell: 0 },
      }),
    undefined,
  ],
  saySlow: [
    async (client) =>
      (await saySlow(new RollCall(client, { table: 't', now }), note)(new Map([['sub_1', 1]])))?.size,
    1,
  ],
} satisfies Record<string, readonly [(client: DynamoDBClient) => Promise<unknown>, unknown]>;

const throttled = { error: 'ProvisionedThroughputExceededException' } as const;
const limited = { error: 'ThrottlingException' } as const;
const conflict = { error: 'TransactionConflictException' } as const;
const cancelled = { error: 'TransactionCanceledException' } as const;
const asIfNothing = 'as if nothing' as const;

/**
 * By call and failure, what comes of it after one failure, and after failures without end. What rejects goes
 * back to the queue, the partner or the operator; whatever cannot conflict is in no transaction.
 */
const BEHAVIOUR: readonly [
  keyof typeof CALLS,
  Failure,
  Result | 'as if nothing',
  Result | 'as if nothing',
][] = [
  ['commit', 'throttled', asIfNothing, cancelled],
  ['commit', 'throttled by its account', limited, limited],
  ['commit', 'in conflict', asIfNothing, cancelled],
  ['waitingIn', 'throttled', throttled, throttled],
  ['waitingIn', 'throttled by its account', limited, limited],
  ['moveCheck', 'throttled', throttled, throttled],
  ['moveCheck', 'throttled by its account', limited, limited],
  ['moveCheck', 'in conflict', { outcome: false }, { outcome: false }],
  ['save', 'throttled', asIfNothing, { outcome: 1 }],
  ['save', 'throttled by its account', asIfNothing, { outcome: 1 }],
  ['save', 'in conflict', asIfNothing, { outcome: 1 }],
  ['keepResource', 'throttled', throttled, throttled],
  ['keepResource', 'throttled by its account', limited, limited],
  ['keepResource', 'in conflict', conflict, conflict],
  ['routesOf', 'throttled', asIfNothing, { outcome: ['shop'] }],
  ['routesOf', 'throttled by its account', asIfNothing, { outcome: ['shop'] }],
  ['addSubscription', 'throttled', asIfNothing, { error: 'ContendedError' }],
  ['addSubscription', 'throttled by its account', limited, limited],
  ['addSubscription', 'in conflict', asIfNothing, { error: 'ContendedError' }],
  ['changeEndpointHealth', 'throttled', throttled, throttled],
  ['changeEndpointHealth', 'throttled by its account', limited, limited],
  ['changeEndpointHealth', 'in conflict', asIfNothing, { error: 'ContendedError' }],
  ['replaceEndpointHealth', 'throttled', throttled, throttled],
  ['replaceEndpointHealth', 'in conflict', { outcome: false }, { outcome: false }],
  ['advanceSequence', 'throttled', throttled, throttled],
  ['advanceSequence', 'throttled by its account', limited, limited],
  ['advanceSequence', 'in conflict', conflict, conflict],
  ['hold', 'throttled', throttled, throttled],
  ['hold', 'throttled by its account', limited, limited],
  ['hold', 'in conflict', conflict, conflict],
  ['drop', 'throttled', asIfNothing, asIfNothing],
  ['drop', 'throttled by its account', asIfNothing, asIfNothing],
  ['drop', 'in conflict', asIfNothing, asIfNothing],
  ['startRecovery', 'throttled', throttled, throttled],
  ['advanceRecovery', 'throttled', throttled, throttled],
  ['countAnswers', 'throttled', asIfNothing, asIfNothing],
  ['countAnswers', 'throttled by its account', asIfNothing, asIfNothing],
  ['saySlow', 'throttled', { outcome: undefined }, { outcome: undefined }],
  ['saySlow', 'throttled by its account', { outcome: undefined }, { outcome: undefined }],
];

/** Reads before the write are not what a row is about. */
const ON: Partial<Record<keyof typeof CALLS, string>> = { addSubscription: 'Transact' };

const expected = (name: keyof typeof CALLS, result: Result | 'as if nothing') =>
  result === asIfNothing ? { outcome: CALLS[name][1] } : result;

test.each(BEHAVIOUR)('%s, %s once and without end', async (name, failure, once, always) => {
  const [call] = CALLS[name];
  expect(await result(call, failure, 1, ON[name])).toEqual(expected(name, once));
  expect(await result(call, failure, Number.POSITIVE_INFINITY, ON[name])).toEqual(expected(name, always));
});

test('what is not counted or dropped is told', async () => {
  for (const name of ['drop', 'countAnswers', 'saySlow'] as const) {
    await result(CALLS[name][0], 'throttled', Number.POSITIVE_INFINITY);
  }
  expect(new Set(failedWith)).toEqual(new Set(['ProvisionedThroughputExceededException']));
  expect(failedWith).toHaveLength(3);
});

test('a commit whose first try is still under way, since its answer timed out, is tried again', async () => {
  const { config, calls } = failingTransport((_, number) =>
    number === 1 ? { error: 'TransactionInProgressException' } : {},
  );
  const client = new DynamoDBClient({ ...config, maxAttempts: 2 });
  expect(await orderingKeyCommitter(client, NAMES, 90)(commit)).toBe('written');
  expect(calls.map(({ input }) => input.ClientRequestToken)).toEqual(['token', 'token']);
  client.destroy();
});
