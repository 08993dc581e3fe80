import type { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { deliveryReader } from '../../../functions/adapters/delivery-reader.ts';
import { CLOSED } from '../../../functions/core/circuit.ts';
import type { Wanted } from '../../../functions/deliver/ports.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { IN_LINE, record } from './paused-keys.ts';

type Item = Record<string, unknown>;

/** Tables, by name, whose items have these keys. */
const KEYS: Record<string, readonly string[]> = {
  subscriptions: ['service_id', 'item'],
  secrets: ['subscription_id'],
  keys: ['ordering_key', 'item'],
  history: ['message_id', 'item'],
};

function tables(items: Record<string, readonly Item[]>) {
  const calls: Record<string, Item[]>[] = [];
  const client = {
    async send({ input }: BatchGetItemCommand) {
      const wanted = Object.entries(input.RequestItems ?? {}).map(
        ([name, { Keys = [] }]) => [name, Keys.map((key) => unmarshall(key))] as const,
      );
      calls.push(Object.fromEntries(wanted));
      const Responses = wanted.map(([name, keys]) => {
        const found = (items[name] ?? []).filter((item) =>
          keys.some((key) => KEYS[name]?.every((attribute) => key[attribute] === item[attribute])),
        );
        return [name, found.map((item) => marshall(item))];
      });
      return { Responses: Object.fromEntries(Responses) };
    },
  };
  let nowMs = TEN_O_CLOCK_MS;
  const lookUp = deliveryReader(
    client as unknown as DynamoDBClient,
    { subscriptions: 'subscriptions', signingSecrets: 'secrets', keys: 'keys', history: 'history' },
    () => nowMs,
  );
  return {
    calls,
    lookUp: (wanted: Partial<Wanted>) =>
      lookUp({ subscriptions: [], keys: [], messageIds: [], resourceKeys: [], ...wanted }),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

const SUBSCRIPTION = { ...subscription(), item: 'sub_1' };
const SECRETS = { subscription_id: 'sub_1', ...keptSecrets(), custom_headers: { 'x-shop': 'bakery' } };
const { subscription_id: _, ...KEPT } = SECRETS;
const KEY = { ...IN_LINE, item: 'key', line: 'sub_1' };

test('all that a batch needs is read in one call, each thing once', async () => {
  const { lookUp, calls } = tables({
    subscriptions: [SUBSCRIPTION],
    secrets: [SECRETS],
    keys: [KEY],
    history: [
      { ...record(1), item: 'message' },
      { message_id: 'event#bakery#evt-2', item: 'resource', resource: '{}' },
    ],
  });
  const { message_id } = record(1);
  const found = await lookUp({
    subscriptions: [subscription(), subscription()],
    keys: ['sub_1.pay-1', 'sub_1.pay-1', 'sub_1.pay-2'],
    messageIds: [message_id],
    resourceKeys: ['bakery#evt-2'],
  });
  expect(found).toEqual({
    subscriptions: new Map([['sub_1', subscription()]]),
    secrets: new Map([['sub_1', { ...KEPT, goodUntilMs: TEN_O_CLOCK_MS + 60_000 }]]),
    keys: new Map([['sub_1.pay-1', IN_LINE]]),
    records: new Map([[message_id, record(1)]]),
    resources: new Map([['bakery#evt-2', '{}']]),
    faults: new Map(),
  });
  expect(calls).toEqual([
    {
      subscriptions: [{ service_id: 'bakery', item: 'sub_1' }],
      secrets: [{ subscription_id: 'sub_1' }],
      keys: [
        { ordering_key: 'sub_1.pay-1', item: 'key' },
        { ordering_key: 'sub_1.pay-2', item: 'key' },
      ],
      history: [
        { message_id, item: 'message' },
        { message_id: 'event#bakery#evt-2', item: 'resource' },
      ],
    },
  ]);
});

test('a subscription comes with its circuit', async () => {
  const circuit = { ...CLOSED, revision: 2, failed_keys: ['sub_1.pay-1'] };
  const { lookUp } = tables({
    subscriptions: [{ ...SUBSCRIPTION, circuit, due_shard: '3', check_at: '2026-11-14T10:00:00.000Z' }],
  });
  const { subscriptions } = await lookUp({ subscriptions: [subscription()] });
  expect(subscriptions.get('sub_1')).toEqual(subscription({ circuit }));
});

test('what cannot be read is the fault of its own alone, and tells no values', async () => {
  const { lookUp } = tables({
    subscriptions: [{ ...SUBSCRIPTION, circuit: { ...CLOSED, state: 'ajar' } }],
    keys: [
      { ...KEY, revision: 'three' },
      { ...KEY, ordering_key: 'sub_1.pay-2' },
    ],
    secrets: [{ subscription_id: 'sub_2', secrets: { sec_1: { secret: 'whsec_mine' } } }],
  });
  const found = await lookUp({
    subscriptions: [subscription(), subscription({ subscription_id: 'sub_2' })],
    keys: ['sub_1.pay-1', 'sub_1.pay-2'],
  });
  expect([...found.keys.keys()]).toEqual(['sub_1.pay-2']);
  expect([...found.faults].map(([id, { message }]) => [id, message])).toEqual([
    [
      'sub_2',
      'subscription_id sub_2: cannot be read; see secrets.sec_1.private_key, secrets.sec_1.created_at',
    ],
    ['sub_1', 'subscription_id sub_1: cannot be read; see circuit.state'],
    ['sub_1.pay-1', 'ordering_key sub_1.pay-1: cannot be read; see revision'],
  ]);
});

test('secrets are read again when they are a minute old, and a removed one signs no more', async () => {
  const items: Record<string, Item[]> = { subscriptions: [SUBSCRIPTION], secrets: [SECRETS] };
  const { lookUp, calls, pass } = tables(items);
  const secrets = async () => (await lookUp({ subscriptions: [subscription()] })).secrets.get('sub_1');
  await secrets();
  items.secrets = [];
  pass(59_999);
  expect(await secrets()).toEqual({ ...KEPT, goodUntilMs: TEN_O_CLOCK_MS + 60_000 });
  pass(1);
  expect(await secrets()).toBeUndefined();
  expect(calls.map((call) => 'secrets' in call)).toEqual([true, false, true]);
});
