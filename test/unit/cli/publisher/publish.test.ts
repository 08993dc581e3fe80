import { type PutEvents, publish } from '../../../../cli/publisher/publish.ts';
import { type SampleEvent, samplePayment } from '../../../../cli/publisher/sample-payments.ts';
import { isUsable, readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { givenToOps } from '../../../support/operator-run.ts';
import { GOV_UK_PAY } from '../../../support/own-types.ts';

const startedAt = new Date('2026-03-01T12:00:00.000Z');
const eventsOf = (paymentId: string, eventCount: number) =>
  samplePayment({ serviceId: 'demo', paymentId, number: 0, eventCount, startedAt });

/** Remembers the ids of what it takes, batch by batch; refuses an event as often as told. */
function busRefusing(times: Readonly<Record<string, number>> = {}) {
  const left = { ...times };
  const batches: string[][] = [];
  const taken: string[] = [];
  const putEvents: PutEvents = async (events) => {
    batches.push(events.map(({ event_id }) => event_id));
    const refused = events.filter(({ event_id }) => (left[event_id] ?? 0) > 0);
    for (const { event_id } of refused) {
      left[event_id] = (left[event_id] ?? 0) - 1;
    }
    taken.push(
      ...events.filter((event: SampleEvent) => !refused.includes(event)).map(({ event_id }) => event_id),
    );
    return refused.map((event) => ({ event, reason: 'ThrottlingException: slow down' }));
  };
  return { putEvents, batches, taken };
}
const noSleep = async () => {};

test('payments travel together, the events of one payment one after another', async () => {
  const bus = busRefusing();
  await publish([...eventsOf('a', 2), ...eventsOf('b', 2)], bus.putEvents, noSleep);
  expect(bus.batches).toEqual([
    ['a_1', 'b_1'],
    ['a_2', 'b_2'],
  ]);
});

test('a batch holds ten entries at most', async () => {
  const bus = busRefusing();
  await publish(
    Array.from({ length: 12 }, (_, number) => eventsOf(`p${number}`, 1)).flat(),
    bus.putEvents,
    noSleep,
  );
  expect(bus.batches.map(({ length }) => length)).toEqual([10, 2]);
});

test('an entry that was refused is put again before anything later of its payment', async () => {
  const bus = busRefusing({ a_1: 2 });
  const { repeated } = await publish([...eventsOf('a', 3), ...eventsOf('b', 3)], bus.putEvents, noSleep);
  expect(repeated).toBe(2);
  expect(bus.taken.filter((id) => id.startsWith('a'))).toEqual(['a_1', 'a_2', 'a_3']);
  expect(bus.taken.filter((id) => id.startsWith('b'))).toEqual(['b_1', 'b_2', 'b_3']);
});

test('a bus that takes nothing any more ends it, with the reason', async () => {
  const bus = busRefusing({ a_2: 99 });
  await expect(publish(eventsOf('a', 3), bus.putEvents, noSleep)).rejects.toThrow(
    'refused 5 times in a row: ThrottlingException: slow down',
  );
  expect(bus.taken).toEqual(['a_1']);
});

const payment = {
  serviceId: 'demo',
  paymentId: 'pay_1',
  number: 0,
  eventCount: 4,
  startedAt: new Date('2026-03-01T12:00:00.000Z'),
};

test('a payment is started, approved, captured and settled, in that order and not ahead of the clock', () => {
  const events = samplePayment(payment);
  expect(
    events.map(({ event_id, event_type, occurred_at, sequence }) => [
      event_id,
      event_type,
      occurred_at,
      sequence,
    ]),
  ).toEqual([
    ['pay_1_1', 'PAYMENT_STARTED', '2026-03-01T12:00:00.000Z', 1],
    ['pay_1_2', 'USER_APPROVED_FOR_CAPTURE', '2026-03-01T12:00:00.001Z', 2],
    ['pay_1_3', 'CAPTURE_CONFIRMED', '2026-03-01T12:00:00.002Z', 3],
    ['pay_1_4', 'CAPTURE_SETTLED', '2026-03-01T12:00:00.003Z', 4],
  ]);
});

test('refunds follow, each a resource of its own under its parent payment', () => {
  const refund = samplePayment({ ...payment, eventCount: 6 })[5];
  expect(refund).toMatchObject({
    event_type: 'REFUND_SUCCEEDED',
    payment_id: 'pay_1',
    resource_type: 'refund',
    resource_id: 'pay_1_r2',
  });
});

test('every sample can be used', () => {
  const events = [0, 1, 2, 3, 4, 5].flatMap((number) =>
    samplePayment({ ...payment, number, eventCount: 20 }),
  );
  expect(
    events.map((event) => readPaymentEvent(event, GOV_UK_PAY)).filter((event) => !isUsable(event)),
  ).toEqual([]);
});

test('the same payment comes out the same', () => {
  expect(samplePayment(payment)).toEqual(samplePayment(payment));
});

test.each([0, 21, 1.5])('%p events are refused', (eventCount) => {
  expect(() => samplePayment({ ...payment, eventCount })).toThrow(
    `a sample payment has 1 to 20 events, not ${eventCount}`,
  );
});

const read = (...args: string[]) => givenToOps('send', ...args);

test('events per payment may be a range', () => {
  expect(read('--events-per-payment', '2-4')).toMatchObject({ 'events-per-payment': { min: 2, max: 4 } });
});
