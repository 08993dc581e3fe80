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

/** A unique name, because several tests and runs may share a store. */
function endpoints() {
  const run = randomUUID();
  return { shop: `shop-${run}`, other: `other-${run}`, unknown: `unknown-${run}` };
}

/** What every `ReceiverStore` promises. */
export function keepsThePromisesOfReceiverStore(open: () => ReceiverStore): void {
  const ids = async (store: ReceiverStore, endpoint: string, after = 0) =>
    (await store.receiptsAfter(endpoint, after)).map(({ number, webhook_id }) => [number, webhook_id]);

  test('settings are replaced, and each endpoint has its own', async () => {
    const store = open();
    const { shop, other, unknown } = endpoints();
    await store.keepSettings(shop, { ...QUIET, delay_ms: [100, 2_000], response_headers: { a: 'b' } });
    await store.keepSettings(other, QUIET);
    await store.keepSettings(shop, { ...QUIET, delay_ms: 7 });
    expect(await store.settingsOf(shop)).toEqual({ ...QUIET, delay_ms: 7 });
    expect(await store.settingsOf(other)).toEqual(QUIET);
    expect(await store.settingsOf(unknown)).toBeUndefined();
  });

  test('receipts are numbered in order of arrival, separately for each endpoint', async () => {
    const store = open();
    const { shop, other, unknown } = endpoints();
    await store.recordArrival(arrival(shop, 'first'));
    await store.recordArrival(arrival(other, 'elsewhere'));
    await store.recordArrival(arrival(shop, 'second'));
    await store.recordArrival(arrival(shop, 'third', 1));
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
    const key = await store.recordArrival(arrival(shop, 'answered'));
    await store.recordArrival(arrival(shop, 'hanging'));
    await store.recordAnswer(shop, key, { answered_at: '2026-01-01T12:00:02.000Z', status: 503 });
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
    for (let count = 1; count <= 1_001; count += 1) await store.recordArrival(arrival(shop, `msg_${count}`));
    const page = await ids(store, shop);
    expect([page.length, page.at(-1)]).toEqual([1_000, [1_000, 'msg_1000']]);
    expect(await ids(store, shop, 1_000)).toEqual([[1_001, 'msg_1001']]);
  });

  test('a forgotten endpoint stays forgotten when an answer comes late', async () => {
    const store = open();
    const { shop } = endpoints();
    await store.keepSettings(shop, QUIET);
    const key = await store.recordArrival(arrival(shop, 'under way'));
    for (let count = 1; count <= 30; count += 1) await store.recordArrival(arrival(shop, 'other', 1));
    await store.forget(shop);
    await store.recordAnswer(shop, key, { answered_at: '2026-01-01T12:00:02.000Z', status: 200 });
    expect(await store.settingsOf(shop)).toBeUndefined();
    expect(await store.receiptsAfter(shop, 0)).toEqual([]);
  });
}
