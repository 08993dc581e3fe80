import {
  type CountedRecord,
  statisticsChangesOf,
  uncountedOf,
} from '../../../../functions/core/statistics/statistics-of-changes.ts';

const TEN = '2026-11-14T10:00:00.000Z';
const NINE = '2026-11-14T09:00:00.000Z';
const nothing = {
  delivered: 0,
  acknowledged_within_60_s: 0,
  failed_attempts: 0,
  exhausted: 0,
  cancelled: 0,
  times: {},
  acknowledged: {},
  failures: {},
};
/** What `record` adds: acknowledged after 300 ms. */
const acknowledged = { delivered: 1, acknowledged_within_60_s: 1, acknowledged: { 33: 1 } };

function record(over: Partial<CountedRecord> = {}): CountedRecord {
  return {
    subscription_id: 'sub_1',
    event_type: 'card_payment_captured',
    state: 'succeeded',
    attempt_count: 1,
    admitted_at: '2026-11-14T10:04:59.900Z',
    last_attempt_at: '2026-11-14T10:05:00.000Z',
    ended_at: '2026-11-14T10:05:00.200Z',
    ...over,
  };
}
const parked = record({
  state: 'parked',
  attempt_count: 0,
  last_attempt_at: undefined,
  ended_at: undefined,
});
const failed = record({ state: 'retrying', last_failure_class: 'timeout', ended_at: undefined });
const counted = (before: CountedRecord | undefined, after: CountedRecord) =>
  statisticsChangesOf([{ before, after, position: '1' }]).map(
    ({ subscription_id: _, since: __, from: ___, to: ____, ...figures }) => figures,
  );
const inserted = (records: readonly CountedRecord[]) =>
  records.map((after, index) => ({ before: undefined, after, position: String(index + 1) }));

test('a message that is delivered at once counts once, in the hour in which it was', () => {
  expect(statisticsChangesOf(inserted([record()]))).toEqual([
    { subscription_id: 'sub_1', since: TEN, ...nothing, ...acknowledged, from: '1', to: '1' },
  ]);
});

test.each([
  ['waits', undefined, parked, []],
  [
    'fails and is tried again',
    undefined,
    failed,
    [{ ...nothing, failed_attempts: 1, failures: { timeout: 1 } }],
  ],
  [
    'is tried in vain after it has waited',
    parked,
    failed,
    [{ ...nothing, failed_attempts: 1, failures: { timeout: 1 } }],
  ],
  [
    'fails again',
    failed,
    { ...failed, attempt_count: 2 },
    [{ ...nothing, failed_attempts: 1, failures: { timeout: 1 } }],
  ],
  ['is delivered at the second try', failed, record({ attempt_count: 2 }), [{ ...nothing, ...acknowledged }]],
  [
    'is refused with a status',
    undefined,
    { ...failed, last_failure_class: 'http_status' as const, last_status_code: 503 },
    [{ ...nothing, failed_attempts: 1, failures: { 503: 1 } }],
  ],
  [
    'is acknowledged a minute and a millisecond after its event',
    failed,
    record({ attempt_count: 2, admitted_at: '2026-11-14T10:04:00.199Z' }),
    [{ ...nothing, delivered: 1, acknowledged: { 64: 1 } }],
  ],
  [
    'is acknowledged a minute after it came, and had waited for its turn',
    failed,
    record({ attempt_count: 2, arrived_at: '2026-11-14T10:04:00.200Z' }),
    [{ ...nothing, delivered: 1, acknowledged_within_60_s: 1, acknowledged: { 64: 1 } }],
  ],
  [
    'is given up by its last try',
    failed,
    record({ state: 'exhausted', attempt_count: 2, last_failure_class: 'dns' }),
    [{ ...nothing, failed_attempts: 1, exhausted: 1, failures: { dns: 1 } }],
  ],
  [
    'is given up for its age, untried',
    parked,
    { ...parked, state: 'exhausted' as const, ended_at: TEN },
    [{ ...nothing, exhausted: 1 }],
  ],
  [
    'is cancelled after a try that had counted',
    failed,
    { ...failed, state: 'cancelled' as const, ended_at: TEN },
    [{ ...nothing, cancelled: 1 }],
  ],
  ['is asked for again', record(), record({ state: 'parked', ended_at: undefined }), []],
  [
    'is delivered once more',
    record({ state: 'parked', ended_at: undefined, late: true }),
    record({ attempt_count: 2, late: true }),
    [{ ...nothing, delivered: 1 }],
  ],
  ['loses its body to an operator', record(), record(), []],
])('a message that %s', (_, before, after, figures) => {
  expect(counted(before, after)).toEqual(figures);
});

test('should a record tell of several tries at once, all but a last that succeeded have failed', () => {
  expect(counted(failed, record({ attempt_count: 4 }))).toEqual([
    { ...nothing, ...acknowledged, failed_attempts: 2, failures: { unknown: 2 } },
  ]);
});

test('test pings count as nothing', () => {
  const ping = { event_type: 'ping', state: 'exhausted', last_failure_class: 'timeout' } as const;
  expect(counted(undefined, record(ping))).toEqual([]);
});

test('a try and the end it led to may fall into different hours', () => {
  const after = record({
    state: 'exhausted',
    last_failure_class: 'timeout',
    last_attempt_at: '2026-11-14T09:59:59.900Z',
  });
  expect(statisticsChangesOf(inserted([after]))).toEqual([
    { subscription_id: 'sub_1', since: TEN, ...nothing, exhausted: 1, from: '1', to: '1' },
    {
      subscription_id: 'sub_1',
      since: NINE,
      ...nothing,
      failed_attempts: 1,
      failures: { timeout: 1 },
      from: '1',
      to: '1',
    },
  ]);
});

test('what happened to a subscription in an hour is added up', () => {
  const other = record({ subscription_id: 'sub_2' });
  const changes = inserted([record(), record(), other, record()]);
  expect(statisticsChangesOf(changes)).toEqual([
    {
      subscription_id: 'sub_1',
      since: TEN,
      ...nothing,
      delivered: 3,
      acknowledged_within_60_s: 3,
      acknowledged: { 33: 3 },
      from: '1',
      to: '4',
    },
    { subscription_id: 'sub_2', since: TEN, ...nothing, ...acknowledged, from: '3', to: '3' },
  ]);
});

test('of an hour that has counted some of it, the rest is left', () => {
  const other = record({ subscription_id: 'sub_2' });
  const changes = inserted([record(), other, record(), record()]);
  const [change] = statisticsChangesOf(changes);
  expect(uncountedOf(change!, changes, '1')).toMatchObject({ delivered: 2, from: '3', to: '4' });
  expect(uncountedOf(change!, changes, '4')).toBeUndefined();
});

test('a time to send counts once, in the hour of the first attempt, however often the message is attempted', () => {
  const timed = { time_to_send_ms: 100 };
  const first = { ...failed, ...timed };
  expect(counted(undefined, record(timed))).toEqual([{ ...nothing, ...acknowledged, times: { 27: 1 } }]);
  expect(counted(parked, first)).toMatchObject([{ failed_attempts: 1, times: { 27: 1 } }]);
  expect(counted(first, { ...first, attempt_count: 2 })).toEqual([
    { ...nothing, failed_attempts: 1, failures: { timeout: 1 } },
  ]);
  expect(counted(first, record({ ...timed, attempt_count: 2 }))).toEqual([{ ...nothing, ...acknowledged }]);
  expect(counted(undefined, { ...record(timed), event_type: 'ping' })).toEqual([]);
});

test('times to send of an hour are counted by bucket', () => {
  const changes = inserted([3, 100, 90, 3].map((time_to_send_ms) => record({ time_to_send_ms })));
  expect(statisticsChangesOf(changes)).toMatchObject([{ delivered: 4, times: { 7: 2, 26: 1, 27: 1 } }]);
});
