import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { OWN_TYPES } from '../../../test/support/own-types.ts';
import { gathering } from '../../artillery/generator.ts';
import { paymentEvents } from '../../artillery/payment-events.ts';

const PAYMENT = { serviceId: 's', paymentId: 'pay_1', types: OWN_TYPES.types, eventCount: 3, bodyBytes: 0 };

test('events that arrive together share a batch, up to its limit', async () => {
  const batches: number[][] = [];
  const put = gathering(async (batch: readonly number[]) => batches.push([...batch]), {
    max: 2,
    withinMs: 1,
  });
  await Promise.all([1, 2, 3].map(put));
  await put(4);
  expect(batches).toEqual([[1, 2], [3], [4]]);
});

test('each caller learns when its batch fails', async () => {
  const put = gathering(() => Promise.reject(new Error('no bus')), { max: 2, withinMs: 1 });
  const results = await Promise.allSettled([1, 2].map(put));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a payment has valid events, in order', () => {
  const events = paymentEvents(PAYMENT);
  expect(events.map(({ event_id, sequence }) => [event_id, sequence])).toEqual([
    ['pay_1_1', 1],
    ['pay_1_2', 2],
    ['pay_1_3', 3],
  ]);
  for (const event of events) expect(paymentEventSchema.safeParse(event).success).toBe(true);
});

test.each([1_024, 102_400])('a resource of %d bytes has this many', (bodyBytes) => {
  const [event] = paymentEvents({ ...PAYMENT, bodyBytes });
  expect(Buffer.byteLength(JSON.stringify(event?.resource))).toBe(bodyBytes);
});
