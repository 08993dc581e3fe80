import type { Lost } from '../../../functions/adapters/eventbridge/operational-bus.ts';
import type { OperationalEvent } from '../../../functions/core/operational-events/operational-event.ts';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../functions/telemetry/metrics.ts';
import { operationalEvents } from '../../../functions/telemetry/operational-events.ts';

const event = (id: string): OperationalEvent => ({
  v: 1,
  id,
  type: 'circuit.closed',
  at: '2026-11-14T10:00:00.000Z',
  service_id: 'bakery',
  subscription_id: 'sub_1',
});

/** A bus that does not accept the given events. */
function listening(lost: readonly string[] = []) {
  const published: string[][] = [];
  const bus = async (events: readonly OperationalEvent[]): Promise<Lost[]> => {
    published.push(events.map(({ id }) => id));
    return events.filter(({ id }) => lost.includes(id)).map((one) => ({ event: one, reason: 'throttled' }));
  };
  return { bus, published };
}

afterEach(() => metrics.clearMetrics());

test('collected events are published together, and once', async () => {
  const { bus, published } = listening();
  const { collect, tell } = operationalEvents(bus);
  collect([event('op_1')]);
  collect([]);
  collect([event('op_2')]);
  await tell();
  await tell();
  expect(published).toEqual([['op_1', 'op_2']]);
  expect(metrics.hasStoredMetrics()).toBe(false);
});

test('an invocation without events makes no call', async () => {
  const { bus, published } = listening();
  const { collect, tell } = operationalEvents(bus);
  collect([]);
  await tell();
  expect(published).toEqual([]);
});

test('lost events are counted, and not published again', async () => {
  const { bus, published } = listening(['op_1', 'op_3']);
  const { collect, tell } = operationalEvents(bus);
  collect([event('op_1'), event('op_2'), event('op_3')]);
  await tell();
  await tell();
  expect(published).toHaveLength(1);
  expect(metrics.serializeMetrics()).toMatchObject({ [METRIC.operationalEventLost]: 2 });
});

test('concurrent invocations do not mix up their events', async () => {
  const { bus, published } = listening();
  const [one, other] = [operationalEvents(bus), operationalEvents(bus)];
  one.collect([event('op_1')]);
  other.collect([event('op_2')]);
  await other.tell();
  await one.tell();
  expect(published).toEqual([['op_2'], ['op_1']]);
});
