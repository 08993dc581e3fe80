import { randomUUID } from 'node:crypto';
import type { Arrival } from '../../../../../functions/load-lab/receiver/receipt.ts';
import type { ReceiverStore } from '../../../../../functions/load-lab/receiver/store/receiver-store.ts';
import { QUIET } from '../../../../../functions/load-lab/receiver/store/settings.ts';

const arrival = (endpoint: string, webhook_id: string, second = 0): Arrival => ({
  endpoint,
  webhook_id,
  received_at: `2026-01-01T12:00:0${second}.000Z`,
  signature: 'unchecked',
});

/** Names that nobody else has: a store may be one for all tests, and for other runs of them. */
function endpoints() {
  const run = randomUUID();
  return { shop: `shop-${run}`, other: `other-${run}`, unknown: `unknown-${run}` };
}

/** The promises of `ReceiverStore`: any implementation is put through them. */
export function keepsThePromisesOfReceiverStore(open: () => ReceiverStore): void {
  const ids = async (store: ReceiverStore, endpoint: string, after = 0) =>
    (await store.receiptsAfter(endpoint, after)).map(({ number, webhook_id }) => [number, webhook_id]);

  test('settings are replaced, each endpoint has its own', async () => {
    const store = open();
    const { shop, other, unknown } = endpoints();
    await store.keepSettings(shop, { ...QUIET, delay_ms: [100, 2_000], response_headers: { a: 'b' } });
    await store.keepSettings(other, QUIET);
    await store.keepSettings(shop, { ...QUIET, delay_ms: 7 });
    expect(await store.settingsOf(shop)).toEqual({ ...QUIET, delay_ms: 7 });
    expect(await store.settingsOf(other)).toEqual(QUIET);
    expect(await store.settingsOf(unknown)).toBeUndefined();
  });

  test('receipts come numbered in order of arrival, each endpoint by itself', async () => {
    const store = open();
    const { shop, other, unknown } = endpoints();
    await store.noteArrival(arrival(shop, 'first'));
    await store.noteArrival(arrival(other, 'elsewhere'));
    await store.noteArrival(arrival(shop, 'second'));
    await store.noteArrival(arrival(shop, 'third', 1));
    expect(await ids(store, shop)).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ]);
    expect(await ids(store, shop, 2)).toEqual([[3, 'third']]);
    expect(await ids(store, unknown)).toEqual([]);
  });

  test('an answer completes the receipt of its arrival', async () => {
    const store = open();
    const { shop } = endpoints();
    const key = await store.noteArrival(arrival(shop, 'answered'));
    await store.noteArrival(arrival(shop, 'hanging'));
    await store.noteAnswer(shop, key, { answered_at: '2026-01-01T12:00:02.000Z', status: 503 });
    expect(await store.receiptsAfter(shop, 0)).toEqual([
      {
        endpoint: shop,
        number: 1,
        webhook_id: 'answered',
        received_at: '2026-01-01T12:00:00.000Z',
        answered_at: '2026-01-01T12:00:02.000Z',
        status: 503,
        signature: 'unchecked',
      },
      {
        endpoint: shop,
        number: 2,
        webhook_id: 'hanging',
        received_at: '2026-01-01T12:00:00.000Z',
        signature: 'unchecked',
      },
    ]);
  });

  test('a page holds a thousand receipts', async () => {
    const store = open();
    const { shop } = endpoints();
    for (let count = 1; count <= 1_001; count += 1) await store.noteArrival(arrival(shop, `msg_${count}`));
    const page = await ids(store, shop);
    expect([page.length, page.at(-1)]).toEqual([1_000, [1_000, 'msg_1000']]);
    expect(await ids(store, shop, 1_000)).toEqual([[1_001, 'msg_1001']]);
  });

  test('a forgotten endpoint stays forgotten when an answer comes late', async () => {
    const store = open();
    const { shop } = endpoints();
    await store.keepSettings(shop, QUIET);
    const key = await store.noteArrival(arrival(shop, 'under way'));
    for (let count = 1; count <= 30; count += 1) await store.noteArrival(arrival(shop, 'other', 1));
    await store.forget(shop);
    await store.noteAnswer(shop, key, { answered_at: '2026-01-01T12:00:02.000Z', status: 200 });
    expect(await store.settingsOf(shop)).toBeUndefined();
    expect(await store.receiptsAfter(shop, 0)).toEqual([]);
  });

  test('an endpoint takes so many in a second, and as many again in the next', async () => {
    const store = open();
    const { shop, other } = endpoints();
    const taken: boolean[] = [];
    for (const second of [5, 5, 5, 6]) taken.push(await store.takeOne(shop, second, 2));
    expect(taken).toEqual([true, true, false, true]);
    expect(await store.takeOne(other, 5, 2)).toBe(true);
    expect(await store.receiptsAfter(shop, 0)).toEqual([]);
  });

  test('of as many as come at once an endpoint takes what it has room for, and no other second pays for it', async () => {
    const store = open();
    const { shop } = endpoints();
    const at = (second: number) => Array.from({ length: 20 }, () => store.takeOne(shop, second, 7));
    const [first, second] = await Promise.all([Promise.all(at(5)), Promise.all(at(6))]);
    expect(first.filter((isTaken) => isTaken)).toHaveLength(7);
    expect(second.filter((isTaken) => isTaken)).toHaveLength(7);
    expect(await store.takeOne(shop, 5, 7)).toBe(false);
    expect(await store.takeOne(shop, 5, 8)).toBe(true);
  });
}
