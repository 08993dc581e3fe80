import type { Attempt } from '../../../../functions/core/attempt/attempt.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { deliverObserver } from '../../../../functions/pipeline/deliver/observe.ts';
import type { Tried } from '../../../../functions/pipeline/deliver/ports.ts';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../../functions/telemetry/metrics.ts';
import { message } from '../../../support/builders.ts';

const DRAWN = () => 0.049;
const NOT_DRAWN = () => 0.05;

interface Told {
  readonly record?: Partial<MessageRecord>;
  readonly attempt?: Partial<Attempt>;
  readonly receiveCount?: number;
}

function tried(over: Told = {}): Tried {
  return {
    record: {
      ...recordOf(message()),
      state: 'succeeded',
      admitted_at: '2026-11-14T10:00:00.000Z',
      ended_at: '2026-11-14T10:01:00.012Z',
      time_to_send_ms: 29_999,
      ...over.record,
    } as MessageRecord,
    attempt: {
      attempt: 1,
      started_at: '2026-11-14T10:00:00.000Z',
      duration_ms: 12,
      status_code: 200,
      ...over.attempt,
    },
    receiveCount: over.receiveCount ?? 1,
  };
}

/** The line that is logged of an attempt, parsed. */
function logged(of: Tried, draw: () => number): { readonly drawn_from?: number } | undefined {
  let written = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  deliverObserver(20, draw).tried(of);
  spy.mockRestore();
  return written === '' ? undefined : JSON.parse(written);
}

afterEach(() => metrics.clearMetrics());

test('of attempts that went as usual, those that are drawn are logged', () => {
  expect(logged(tried(), DRAWN)).toMatchObject({ message: 'delivery.attempted', drawn_from: 20 });
  expect(logged(tried(), NOT_DRAWN)).toBeUndefined();
});

test.each<[string, Told]>([
  ['failed', { record: { state: 'retrying' }, attempt: { failure_class: 'timeout' } }],
  [
    'ended its message without success',
    { record: { state: 'exhausted' }, attempt: { failure_class: 'http_status' } },
  ],
  ['was a retry', { attempt: { attempt: 2 } }],
  ['was a probe', { attempt: { probe: true } }],
  ['may not be the first', { attempt: { earlier_may_be_missing: true } }],
  ['came again from the queue', { receiveCount: 2 }],
  ['was held before', { record: { held_ms: 1 } }],
  ['started late', { record: { time_to_send_ms: 30_000 } }],
  ['was a test ping', { record: { event_type: 'ping' } }],
])('one that %s is logged, drawn or not', (_, over) => {
  expect(logged(tried(over), NOT_DRAWN)).not.toHaveProperty('drawn_from');
  expect(logged(tried(over), DRAWN)).toMatchObject({ drawn_from: 20 });
});

test.each<[string, Partial<MessageRecord>]>([
  ['nobody acknowledged', { state: 'retrying' }],
  ['had ended before', { late: true }],
])('what %s has no time to acknowledge', (_, record) => {
  logged(tried({ record }), NOT_DRAWN);
  expect(metrics.serializeMetrics()).not.toHaveProperty([METRIC.timeToAcknowledge]);
});

test('metrics count each attempt', () => {
  logged(tried(), NOT_DRAWN);
  expect(metrics.serializeMetrics()).toMatchObject({
    [METRIC.attempt('delivered')]: 1,
    [METRIC.timeToAcknowledge]: 60_012,
    [METRIC.timeToSend]: 29_999,
  });
});
