import type { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { deliveryReader } from '../../../../../functions/adapters/dynamodb/history/delivery-reader.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { packed } from '../../../../../functions/adapters/dynamodb/history/stored-resource.ts';
import { sealSecrets } from '../../../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { messageAddress, resourceAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { inMemorySealing } from '../../../../../functions/adapters/kms/sealing.ts';
import type { KeptSecrets } from '../../../../../functions/core/attempt/signing-keys.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Wanted } from '../../../../../functions/core/ordering/delivery-reader.ts';
import { keptSecrets, signingKeys, subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { IN_BACKLOG, record } from '../blocked-ordering-keys.ts';

type Item = Record<string, unknown>;

/** Tables, by name, with items under these keys. */
const KEYS: Record<string, readonly string[]> = {
  subscriptions: ['service_id', 'item'],
  secrets: ['subscription_id'],
  keys: ['ordering_key', 'item'],
  history: ['payment_hash', 'item'],
};

const { seal, open } = inMemorySealing();

/** As its table holds it. */
async function stored(table: string, item: Item): Promise<Item> {
  const id = String(item.subscription_id);
  return table === 'secrets'
    ? { subscription_id: id, ...(await sealSecrets(seal, id, item as unknown as KeptSecrets)) }
    : item;
}

/** @param answer gets the keys of a call and returns those to leave unprocessed, or throws */
function tables(
  items: Record<string, readonly Item[]>,
  answer: (keys: readonly Item[]) => readonly Item[] = () => [],
) {
  const calls: Record<string, Item[]>[] = [];
  let afterCall = () => {};
  const client = {
    async send({ input }: BatchGetItemCommand) {
      const wanted = Object.entries(input.RequestItems ?? {}).map(
        ([name, { Keys = [] }]) => [name, Keys.map((key) => unmarshall(key))] as const,
      );
      calls.push(Object.fromEntries(wanted));
      const left = answer(wanted.flatMap(([, keys]) => keys));
      const UnprocessedKeys = Object.fromEntries(
        wanted.flatMap(([name, keys]) => {
          const Keys = keys.filter((key) => left.includes(key)).map((key) => marshall(key));
          return Keys.length === 0 ? [] : [[name, { Keys }]];
        }),
      );
      const responses = wanted.map(async ([name, all]) => {
        const keys = all.filter((key) => !left.includes(key));
        const found = (items[name] ?? []).filter((item) =>
          keys.some((key) => KEYS[name]?.every((attribute) => key[attribute] === item[attribute])),
        );
        const asStored = await Promise.all(found.map((item) => stored(name, item)));
        return [name, asStored.map((item) => marshall(item))] as const;
      });
      const Responses = await Promise.all(responses);
      afterCall();
      return { Responses: Object.fromEntries(Responses), UnprocessedKeys };
    },
  };
  let nowMs = TEN_O_CLOCK_MS;
  const lookUp = deliveryReader(
    client as unknown as DynamoDBClient,
    { subscriptions: 'subscriptions', signingSecrets: 'secrets', orderingKeys: 'keys', history: 'history' },
    open,
    () => nowMs,
  );
  return {
    calls,
    /** Called after a call has read. */
    onCall(does: () => void) {
      afterCall = does;
    },
    lookUp: (wanted: Partial<Wanted>) =>
      lookUp({ subscriptions: [], keys: [], messageIds: [], resources: [], ...wanted }),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

const SUBSCRIPTION = { ...subscription(), item: 'sub_1' };
const SECRETS = { subscription_id: 'sub_1', ...keptSecrets(), custom_headers: { 'x-shop': 'bakery' } };
const { subscription_id: _, ...KEPT } = SECRETS;
const KEY = { ...IN_BACKLOG, item: 'ordering_key', backlog_of: 'sub_1' };

const LARGE = { service_id: 'bakery', payment_id: 'pay-2', event_id: 'evt-2' };

test('all that a batch needs is read in one call, each item once', async () => {
  const { lookUp, calls } = tables({
    subscriptions: [SUBSCRIPTION],
    secrets: [SECRETS],
    keys: [KEY],
    history: [messageItem(record(1)), { ...resourceAddress(LARGE), resource: packed('{}') }],
  });
  const { message_id } = record(1);
  const found = await lookUp({
    subscriptions: [subscription(), subscription()],
    keys: ['sub_1.pay-1', 'sub_1.pay-1', 'sub_1.pay-2'],
    messageIds: [message_id],
    resources: [LARGE],
  });
  expect(found).toEqual({
    subscriptions: new Map([['sub_1', subscription()]]),
    secrets: new Map([['sub_1', { ...KEPT, goodUntilMs: TEN_O_CLOCK_MS + 10_000 }]]),
    keys: new Map([['sub_1.pay-1', IN_BACKLOG]]),
    records: new Map([[message_id, record(1)]]),
    resources: new Map([['bakery#pay-2#evt-2', '{}']]),
    internalErrors: new Map(),
    untaken: new Set(),
  });
  expect(calls).toEqual([
    {
      subscriptions: [{ service_id: 'bakery', item: 'sub_1' }],
      secrets: [{ subscription_id: 'sub_1' }],
      keys: [
        { ordering_key: 'sub_1.pay-1', item: 'ordering_key' },
        { ordering_key: 'sub_1.pay-2', item: 'ordering_key' },
      ],
      history: [messageAddress(message_id), resourceAddress(LARGE)],
    },
  ]);
});

test('a subscription comes with its circuit', async () => {
  const circuit = { ...CLOSED, revision: 2, failed_ordering_keys: ['sub_1.pay-1'] };
  const { lookUp } = tables({
    subscriptions: [{ ...SUBSCRIPTION, circuit, due_shard: '3', check_at: '2026-11-14T10:00:00.000Z' }],
  });
  const { subscriptions } = await lookUp({ subscriptions: [subscription()] });
  expect(subscriptions.get('sub_1')).toEqual(subscription({ circuit }));
});

test('an unreadable item is an error of its own only, and quotes no values', async () => {
  const { lookUp } = tables({
    subscriptions: [{ ...SUBSCRIPTION, circuit: { ...CLOSED, state: 'ajar' } }],
    keys: [
      { ...KEY, revision: 'three' },
      { ...KEY, ordering_key: 'sub_1.pay-2' },
    ],
    secrets: [
      { subscription_id: 'sub_2', secrets: { sec_1: { ...signingKeys(), secret: 1 } } },
      { subscription_id: 'sub_3', secrets: { sec_1: { secret: 'whsec_mine' } } },
    ],
  });
  const found = await lookUp({
    subscriptions: [
      subscription(),
      subscription({ subscription_id: 'sub_2' }),
      subscription({ subscription_id: 'sub_3' }),
    ],
    keys: ['sub_1.pay-1', 'sub_1.pay-2'],
  });
  expect([...found.keys.keys()]).toEqual(['sub_1.pay-2']);
  expect([...found.internalErrors].map(([id, { message }]) => [id, message])).toEqual([
    ['sub_1', 'subscription_id sub_1: cannot be read; see circuit.state'],
    ['sub_3', 'subscription_id sub_3: cannot be read; see secrets.sec_1.created_at'],
    ['sub_2', 'subscription_id sub_2: holds something else than a secret'],
    ['sub_1.pay-1', 'ordering_key sub_1.pay-1: cannot be read; see revision'],
  ]);
});

describe('the secrets of a subscription', () => {
  const info = (secret_id: string) => ({
    secret_id,
    public_key: 'whpk_',
    created_at: '2026-11-14T10:00:00.000Z',
  });
  /** The subscription with this revision, and these secrets on its item. */
  const at = (revision: number, ...ids: string[]): Item => ({
    ...SUBSCRIPTION,
    revision,
    signing_secrets: ids.map(info),
  });
  const holding = (...ids: string[]): Item => ({
    ...SECRETS,
    secrets: Object.fromEntries(ids.map((id) => [id, signingKeys()])),
  });

  test('are read again after a minute, and a removed secret no longer signs', async () => {
    const items: Record<string, Item[]> = { subscriptions: [SUBSCRIPTION], secrets: [SECRETS] };
    const { lookUp, calls, pass } = tables(items);
    const secrets = async () => (await lookUp({ subscriptions: [subscription()] })).secrets.get('sub_1');
    await secrets();
    items.secrets = [];
    pass(59_999);
    expect(await secrets()).toMatchObject(KEPT);
    pass(1);
    expect(await secrets()).toBeUndefined();
    expect(calls.map((call) => 'secrets' in call)).toEqual([true, false, true]);
  });

  test('are read again at once when the partner has changed the subscription: new ones sign, revoked ones do not', async () => {
    const items: Record<string, Item[]> = { subscriptions: [at(1, 'old')], secrets: [holding('old')] };
    const { lookUp, calls } = tables(items);
    const signing = async () =>
      Object.keys((await lookUp({ subscriptions: [subscription()] })).secrets.get('sub_1')?.secrets ?? {});
    expect(await signing()).toEqual(['old']);
    items.subscriptions = [at(3, 'new')];
    items.secrets = [holding('new')];
    expect(await signing()).toEqual(['new']);
    expect(await signing()).toEqual(['new']);
    expect(calls.map((call) => Object.keys(call))).toEqual([
      ['subscriptions', 'secrets'],
      ['subscriptions'],
      ['secrets'],
      ['subscriptions'],
    ]);
  });

  test('are read again when they changed between the reads of the two items', async () => {
    const items: Record<string, Item[]> = { subscriptions: [at(2, 'new')], secrets: [holding('old')] };
    const { lookUp, calls, onCall } = tables(items);
    onCall(() => {
      items.secrets = [holding('new')];
    });
    const found = await lookUp({ subscriptions: [subscription()] });
    expect(Object.keys(found.secrets.get('sub_1')?.secrets ?? {})).toEqual(['new']);
    expect(calls.map((call) => Object.keys(call))).toEqual([['subscriptions', 'secrets'], ['secrets']]);
  });

  test('are checked again by a batch that takes longer than ten seconds', async () => {
    const { lookUp, pass } = tables({ subscriptions: [SUBSCRIPTION], secrets: [SECRETS] });
    const goodUntilMs = async () =>
      (await lookUp({ subscriptions: [subscription()] })).secrets.get('sub_1')?.goodUntilMs;
    expect(await goodUntilMs()).toBe(TEN_O_CLOCK_MS + 10_000);
    pass(9_000);
    expect(await goodUntilMs()).toBe(TEN_O_CLOCK_MS + 19_000);
    pass(45_000);
    expect(await goodUntilMs()).toBe(TEN_O_CLOCK_MS + 60_000);
  });
});

describe('what DynamoDB leaves unprocessed', () => {
  const WANTED = {
    subscriptions: [subscription(), subscription({ subscription_id: 'sub_2' })],
    keys: ['sub_1.pay-1', 'sub_1.pay-2'],
    messageIds: [record(1).message_id],
    resources: [LARGE],
  };

  test.each<[string, (key: Item) => boolean, string]>([
    ['a subscription', ({ item }) => item === 'sub_2', 'sub_2'],
    ['a secret', (key) => key.subscription_id === 'sub_1', 'sub_1'],
    ['an ordering key', (key) => key.ordering_key === 'sub_1.pay-2', 'sub_1.pay-2'],
    ['a message', ({ item }) => String(item).startsWith('message#'), record(1).message_id],
    ['a resource', ({ item }) => item === 'event#evt-2', 'bakery#pay-2#evt-2'],
  ])('is reported by name, even when nothing else is left: %s', async (_, isHot, name) => {
    const { lookUp } = tables({ subscriptions: [SUBSCRIPTION], secrets: [SECRETS], keys: [KEY] }, (keys) => {
      if (keys.every(isHot)) {
        throw Object.assign(new Error('hot'), { name: 'ProvisionedThroughputExceededException' });
      }
      return keys.filter(isHot);
    });
    const { untaken, subscriptions } = await lookUp(WANTED);
    expect([...untaken]).toEqual([name]);
    expect([...subscriptions.keys()]).toEqual(['sub_1']);
  });

  test('does not lead to signing with an old secret', async () => {
    let isHot = false;
    const { lookUp, pass } = tables({ subscriptions: [SUBSCRIPTION], secrets: [SECRETS] }, (keys) =>
      isHot ? keys.filter((key) => key.subscription_id === 'sub_1') : [],
    );
    await lookUp(WANTED);
    isHot = true;
    pass(60_000);
    const { secrets, untaken } = await lookUp(WANTED);
    expect([secrets.size, ...untaken]).toEqual([0, 'sub_1']);
  });

  test('and what it refuses is an error of its own only', async () => {
    const { lookUp } = tables({ subscriptions: [SUBSCRIPTION] }, (keys) => {
      if (keys.some(({ ordering_key }) => ordering_key === 'sub_1.pay-2')) {
        throw Object.assign(new Error('key too long'), { name: 'ValidationException' });
      }
      return [];
    });
    const { internalErrors: faults, untaken, subscriptions } = await lookUp(WANTED);
    expect([...faults].map(([id, { message }]) => [id, message])).toEqual([
      ['sub_1.pay-2', 'ValidationException: key too long'],
    ]);
    expect([untaken.size, subscriptions.size]).toEqual([0, 1]);
  });
});

test('the secrets of the thousand most recently used subscriptions are cached', async () => {
  const name = (number: number) => ({ service_id: 'bakery', subscription_id: `sub_${number}` });
  const secrets = Array.from({ length: 1_001 }, (_, number) => ({
    subscription_id: `sub_${number}`,
    ...keptSecrets(),
  }));
  const { lookUp, calls } = tables({ secrets });
  const readsOf = async (...numbers: readonly number[]) => {
    calls.length = 0;
    const { secrets: known } = await lookUp({ subscriptions: numbers.map(name) });
    expect(known.size).toBe(numbers.length);
    return calls.flatMap(({ secrets: read = [] }) => read.map((key) => key.subscription_id));
  };
  for (let from = 0; from < 1_000; from += 10) {
    await readsOf(...Array.from({ length: 10 }, (_, number) => from + number));
  }
  // Used again, so the second is now the least recently used.
  expect(await readsOf(0)).toEqual([]);
  expect(await readsOf(1_000)).toEqual(['sub_1000']);
  expect(await readsOf(0, 2)).toEqual([]);
  expect(await readsOf(1)).toEqual(['sub_1']);
});

describe('the keys of the stage', () => {
  const STAGE = { subscription_id: '#keys', ...keptSecrets() };
  const wanting = { ...SUBSCRIPTION, extra_signatures: ['rfc9421'] };
  const wanted = { subscriptions: [subscription()] };

  test('are read once a minute, if a subscription of the batch wants them', async () => {
    const { lookUp, calls, pass } = tables({ subscriptions: [wanting], secrets: [SECRETS, STAGE] });

    expect((await lookUp(wanted)).secrets.get('#keys')?.secrets).toEqual(STAGE.secrets);
    expect(calls.map(({ secrets }) => secrets)).toEqual([
      [{ subscription_id: 'sub_1' }],
      [{ subscription_id: '#keys' }],
    ]);
    pass(59_000);
    expect((await lookUp(wanted)).secrets.has('#keys')).toBe(true);
    expect(calls).toHaveLength(3);
    pass(2_000);
    await lookUp(wanted);
    expect(calls).toHaveLength(5);
  });

  test('cost a batch nothing if none does', async () => {
    const { lookUp, calls } = tables({ subscriptions: [SUBSCRIPTION], secrets: [SECRETS, STAGE] });

    expect((await lookUp(wanted)).secrets.has('#keys')).toBe(false);
    expect(calls).toHaveLength(1);
  });

  test('that are throttled are untaken, and nothing else is', async () => {
    const { lookUp } = tables({ subscriptions: [wanting], secrets: [SECRETS, STAGE] }, (keys) =>
      keys.filter(({ subscription_id }) => subscription_id === '#keys'),
    );

    const { untaken, secrets } = await lookUp(wanted);
    expect([...untaken]).toEqual(['#keys']);
    expect([...secrets.keys()]).toEqual(['sub_1']);
  });
});
