import type { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  endpointHealthReplacer,
  endpointHealthWriter,
  lenientEndpointHealthWriter,
  MAX_TRIES,
} from '../../../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../../functions/core/circuit/circuit.ts';
import { endpointHealthOf } from '../../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../../functions/core/circuit/health-shape.ts';
import { ContendedError } from '../../../../../functions/core/errors/contended-error.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../../support/builders.ts';
import { conditionFailed } from '../pages.ts';

const OPTIONS = { table: 'subscriptions', graceMs: 120_000 };

/** A table with one subscription, or none. `meanwhile` runs before a write; it may throw. */
function table(
  kept: Subscription | undefined,
  meanwhile: (item: Record<string, unknown>) => void = () => {},
) {
  const item: Record<string, unknown> | undefined = kept && { ...kept };
  const updates: UpdateItemCommand['input'][] = [];
  const client = {
    async send({ input }: UpdateItemCommand) {
      updates.push(input);
      meanwhile(item ?? {});
      const values = unmarshall(input.ExpressionAttributeValues ?? {});
      const revision = (item?.circuit as Circuit | undefined)?.revision;
      if (item === undefined || values[':circuit_revision'] !== revision) {
        throw conditionFailed(item);
      }
      for (const name of Object.values(input.ExpressionAttributeNames ?? {})) {
        item[name] = values[`:${name}`];
      }
      return {};
    },
  };
  return { client: client as unknown as DynamoDBClient, item, updates };
}

/** One more ordering key has failed. */
const failed =
  (key: string) =>
  ({ circuit, ...health }: EndpointHealth): EndpointHealth => ({
    ...health,
    circuit: {
      ...circuit,
      revision: circuit.revision + 1,
      failed_ordering_keys: [...circuit.failed_ordering_keys, key],
    },
  });
const closed = (revision: number, ...failed_ordering_keys: string[]): Circuit => ({
  state: 'closed',
  revision,
  generation: 0,
  failed_ordering_keys,
});

test('a circuit with a timer is in the due index, to be checked after its timer, until the timer ends', async () => {
  const { client, item } = table(subscription());
  const write = endpointHealthWriter(client, OPTIONS);
  const timed = (timer_at: string | undefined) => (health: EndpointHealth) => {
    const { timer_at: _, ...circuit } = failed('a')(health).circuit;
    return { ...health, circuit: timer_at === undefined ? circuit : { ...circuit, timer_at } };
  };
  const first = await write(subscription(), timed('2026-11-14T10:00:10.000Z'));
  expect(item).toMatchObject({
    due_shard: expect.stringMatching(/^[0-7]$/),
    check_at: '2026-11-14T10:02:10.000Z',
  });
  await write({ ...subscription(), ...first?.after }, timed(undefined));
  expect([item?.due_shard, item?.check_at]).toEqual([undefined, undefined]);
});

test('an enabled subscription no longer has the reason why it was disabled', async () => {
  const disabled = {
    state: 'disabled',
    disabled_reason: 'gone',
    disabled_at: '2026-11-14T10:00:00.000Z',
  } as const;
  const known = subscription({ ...disabled, circuit: closed(2) });
  const { client, item } = table(known);
  await endpointHealthWriter(client, OPTIONS)(known, () => ({ state: 'active', circuit: closed(3) }));
  expect([item?.state, item?.disabled_reason, item?.disabled_at]).toEqual(['active', undefined, undefined]);
});

test('a concurrent change is kept', async () => {
  const theirs = subscription({ circuit: closed(4, 'b', 'c') });
  const { client, item } = table(theirs);
  const changed = await endpointHealthWriter(client, OPTIONS)(
    subscription({ circuit: closed(3, 'b') }),
    failed('a'),
  );
  expect(changed?.before).toEqual(endpointHealthOf(theirs));
  expect(item?.circuit).toEqual(closed(5, 'b', 'c', 'a'));
});

test('a change that another worker has made already is not written again', async () => {
  const { client, updates } = table(subscription({ state: 'paused', circuit: closed(4) }));
  const pause = (health: EndpointHealth) =>
    health.state === 'paused' ? health : { ...failed('a')(health), state: 'paused' as const };
  const changed = await endpointHealthWriter(client, OPTIONS)(subscription(), pause);
  expect(changed?.after).toEqual({ state: 'paused', circuit: closed(4) });
  expect(updates).toHaveLength(1);
});

test("a write whose response was lost counts as written, though it refuses the SDK's second try", async () => {
  const before = subscription({ circuit: closed(3) });
  const after = failed('a')(endpointHealthOf(before));
  const { client } = table(subscription({ ...before, ...after }));
  expect(await endpointHealthReplacer(client, OPTIONS)(before, endpointHealthOf(before), after)).toBe(true);
  const other = failed('b')(endpointHealthOf(before));
  expect(await endpointHealthReplacer(client, OPTIONS)(before, endpointHealthOf(before), other)).toBe(false);
});

describe('a writer that always loses', () => {
  const contended = () => {
    let revision = 1;
    return table(subscription(), (item) => {
      revision += 1;
      item.circuit = closed(revision);
    });
  };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('drops the change and reports it if it must not fail', async () => {
    const dropped: unknown[] = [];
    const write = lenientEndpointHealthWriter(contended().client, OPTIONS, (error) => dropped.push(error));
    const written = write(subscription(), failed('a'));
    await jest.runAllTimersAsync();
    expect(await written).toBeUndefined();
    expect(dropped).toEqual([expect.any(ContendedError)]);
  });

  test('succeeds in the end when as many write at once as it takes to open a circuit', async () => {
    const { client, item } = table(subscription());
    const slow = {
      send: async (update: UpdateItemCommand) => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return client.send(update);
      },
    } as unknown as DynamoDBClient;
    const keys = Array.from({ length: MAX_TRIES }, (_, index) => `key-${index}`);
    const all = Promise.all(
      keys.map((key) => endpointHealthWriter(slow, OPTIONS)(subscription(), failed(key))),
    );
    await jest.runAllTimersAsync();
    await all;
    expect(item).toMatchObject({ circuit: { revision: keys.length } });
    expect(MAX_TRIES).toBeGreaterThan(DELIVERY_POLICY.circuit.failedOrderingKeys);
  });
});
