import { type PutEvents, publish } from '../../../../cli/publisher/publish.ts';
import { type SampleEvent, samplePayment } from '../../../../cli/publisher/sample-payments.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';

const startedAt = new Date('2026-03-01T12:00:00.000Z');
const eventsOf = (paymentId: string, eventCount: number) =>
  samplePayment({ serviceId: 'demo', paymentId, types: OWN_TYPES.types, eventCount, startedAt });

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
