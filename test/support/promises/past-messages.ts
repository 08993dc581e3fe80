import { randomUUID } from 'node:crypto';
import { type PastMessage, pastMessageSchema } from '../../../functions/core/message/recovery.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import { paymentToTest } from './payment-to-test.ts';
import type { Tables } from './tables.ts';

const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);

/** What a recovery reads: whole instants, in order, and each message once. */
export function pastMessagePromises(open: () => Tables): void {
  /** A subscription to which messages came at these times. */
  async function admitted(tables: Tables, ...times: readonly number[]) {
    const subscriptionId = `sub_${randomUUID()}`;
    const messages = times.map((ms) => paymentToTest(subscriptionId).record(1, { admitted_at: at(ms) }));
    // One at a time takes an engine some seconds.
    for (let first = 0; first < messages.length; first += 50) {
      await Promise.all(messages.slice(first, first + 50).map((message) => tables.keep(message)));
    }
    const page = (from: number, until: number) =>
      tables.pastMessages({
        ...{ service_id: 'bakery', subscription_id: subscriptionId },
        ...{ continue_at: at(from), until: at(until) },
      });
    return { page };
  }
  const timesOf = (messages: readonly PastMessage[]) =>
    messages.map(({ admitted_at }) => Date.parse(admitted_at) - TEN_O_CLOCK_MS);

  test('they are read from an instant on and before another, in order', async () => {
    const { page } = await admitted(open(), 5, 4, 3, 2, 1);
    const { messages, continueAt } = await page(2, 5);
    expect({ times: timesOf(messages), continueAt }).toEqual({ times: [2, 3, 4], continueAt: undefined });
  });

  test('of those that are there, it is read what they say: from beside them, if that is large', async () => {
    const tables = open();
    const payment = paymentToTest(`sub_${randomUUID()}`);
    const small = payment.record(1, { resource: '{"amount":12.50}' });
    const { resource: _, ...large } = payment.record(2);
    await Promise.all([tables.keep(small), tables.keep(large)]);
    const pasts = [small, large, payment.record(3)].map((one) => pastMessageSchema.parse(one));
    const said = async () =>
      new Map([...(await tables.contents(pasts))].map(([id, { resource }]) => [id, resource]));
    expect(await said()).toEqual(new Map([[small.message_id, '{"amount":12.50}']]));
    await tables.keepResource(large, '{"amount":7}', TEN_O_CLOCK_MS);
    expect((await said()).get(large.message_id)).toBe('{"amount":7}');
    const { record } = (await tables.contents(pasts)).get(large.message_id)!;
    expect(record).toMatchObject({ message_id: large.message_id, event_id: large.event_id });
  });

  test('pages do not part messages of one instant, and together have each message once', async () => {
    const times = Array.from({ length: 1_200 }, (_, index) => (index < 950 ? index : 950));
    const { page } = await admitted(open(), ...times);
    const ids: string[] = [];
    const pages: number[][] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { messages, continueAt } = await page(from, 5_000);
      ids.push(...messages.map(({ message_id }) => message_id));
      pages.push(timesOf(messages));
      from = continueAt === undefined ? undefined : Date.parse(continueAt) - TEN_O_CLOCK_MS;
    }
    expect(ids).toHaveLength(1_200);
    expect(new Set(ids).size).toBe(1_200);
    expect(pages.filter((some) => some.includes(950))).toHaveLength(1);
    expect(pages.flat()).toEqual(times);
  });
}
