import { randomUUID } from 'node:crypto';
import type { BlockedKey, QueuedMessage } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import { paymentToTest } from './payment-to-test.ts';
import type { Tables } from './tables.ts';

const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);

/** Queued messages in order, and the backlog of a subscription, with its ties. */
export function waitingPromises(open: () => Tables): void {
  /** Blocks an ordering key. */
  async function block(tables: Tables, next: BlockedKey, queuedMessages: readonly QueuedMessage[]) {
    const empty = { removed: [], outcomes: [] };
    const commit = {
      token: randomUUID(),
      orderingKey: next.ordering_key,
      known: undefined,
      next,
      queuedMessages,
    };
    expect(await tables.commit({ ...commit, ...empty })).toBe('written');
  }

  test('queued messages are read in order, a late one last, each with its record', async () => {
    const tables = open();
    const { key, queued, record } = paymentToTest();
    const late = { ...queued(3), position: `~${queued(1).position}` };
    await tables.keep(record(2));
    await block(tables, key.waiting, [late, queued(10), queued(2)]);
    const { waiting, isAll } = await tables.waitingIn(key.waiting.ordering_key);
    expect(isAll).toBe(true);
    expect(waiting.map(({ queuedMessage }) => queuedMessage)).toEqual([queued(2), queued(10), late]);
    expect(waiting.map((one) => one.record?.message_id)).toEqual([
      record(2).message_id,
      undefined,
      undefined,
    ]);
  });

  test('a read says whether there are more than it returns', async () => {
    const tables = open();
    const { key, queued } = paymentToTest();
    const all = Array.from({ length: 26 }, (_, index) => queued(index));
    await block(tables, key.waiting, all);
    const { waiting, isAll } = await tables.waitingIn(key.waiting.ordering_key);
    expect({ isAll, count: waiting.length }).toEqual({ isAll: false, count: 25 });
    expect(waiting.map(({ queuedMessage }) => queuedMessage)).toEqual(all.slice(0, 25));
  });

  /** A subscription with ordering keys that joined its backlog at these times. */
  async function inBacklog(tables: Tables, ...joined: readonly number[]) {
    const subscriptionId = `sub_${randomUUID()}`;
    for (const ms of joined) {
      const { key, queued } = paymentToTest(subscriptionId);
      await block(tables, { ...key.inBacklog, backlogged_at: at(ms) }, [queued(1)]);
    }
    const joinedAt = async (max: number, from?: number) => {
      const keys = await tables.backlog(subscriptionId, max, from === undefined ? undefined : at(from));
      return keys.map(({ backlogged_at }) => Date.parse(backlogged_at) - TEN_O_CLOCK_MS);
    };
    return { subscriptionId, joinedAt };
  }

  test('a backlog is read from its longest waiting ordering key on, and is nobody else’s', async () => {
    const tables = open();
    const { joinedAt } = await inBacklog(tables, 30, 10, 20);
    await inBacklog(tables, 15);
    expect(await joinedAt(10)).toEqual([10, 20, 30]);
    expect(await joinedAt(2)).toEqual([10, 20]);
  });

  test('ordering keys that joined at one instant are all read from that instant on', async () => {
    const tables = open();
    const { subscriptionId, joinedAt } = await inBacklog(tables, 10, 20, 20, 20, 30);
    expect(await joinedAt(10, 20)).toEqual([20, 20, 20, 30]);
    const ids = (await tables.backlog(subscriptionId, 10)).map(({ ordering_key }) => ordering_key);
    expect(new Set(ids).size).toBe(5);
  });

  test('an ordering key that is freed leaves the backlog', async () => {
    const tables = open();
    const { subscriptionId, joinedAt } = await inBacklog(tables, 10, 20);
    const [known] = await tables.backlog(subscriptionId, 1);
    const { ordering_key } = known!;
    const [position = ''] = await tables.positions(ordering_key);
    const empty = { queuedMessages: [], outcomes: [], removed: [position] };
    await tables.commit({ token: randomUUID(), orderingKey: ordering_key, known, next: undefined, ...empty });
    expect(await joinedAt(10)).toEqual([20]);
  });

  test('messages that wait are counted, up to a maximum', async () => {
    const tables = open();
    const { name, record } = paymentToTest();
    for (const number of [1, 2, 3]) {
      await tables.keep(record(number));
    }
    await tables.keep(record(4, { state: 'succeeded', ended_at: at(0) }));
    expect(await tables.waiting(name.subscription_id, 10)).toBe(3);
    expect(await tables.waiting(name.subscription_id, 2)).toBe(2);
  });
}
