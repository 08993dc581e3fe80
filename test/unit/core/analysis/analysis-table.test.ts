import {
  tableOfCounts,
  tableOfMessages,
  type Unacknowledged,
} from '../../../../functions/core/analysis/analysis-table.ts';
import {
  type CountedRow,
  countedRowIn,
  countedRows,
  countedRowView,
} from '../../../../functions/core/analysis/counted-row.ts';
import { NO_DISTRIBUTIONS, NOTHING } from '../../../../functions/core/statistics/statistics.ts';

const row = (service_id: string, since: string, over: Partial<CountedRow> = {}): CountedRow => ({
  service_id,
  subscription_id: `sub_${service_id}`,
  since,
  ...NOTHING,
  failures: {},
  acknowledged: {},
  ...over,
});

const ROWS = [
  row('shop', '2026-11-14', {
    delivered: 10,
    acknowledged_within_60_s: 9,
    failed_attempts: 5,
    failures: { 503: 3, timeout: 2 },
    acknowledged: { 40: 9, 68: 1 },
  }),
  row('shop', '2026-11-15', { delivered: 1, failed_attempts: 1, failures: { 500: 1 }, exhausted: 1 }),
  row('bakery', '2026-11-14', { failed_attempts: 7, failures: { timeout: 7 }, cancelled: 2 }),
];

test('failures by partner and reason: the most first, with a total', () => {
  expect(tableOfCounts('failures', ROWS, ['service', 'reason'])).toEqual({
    columns: ['service', 'reason', 'failed_attempts'],
    rows: [
      ['bakery', 'timeout', 7],
      ['shop', 'http_status', 4],
      ['shop', 'timeout', 2],
    ],
    totals: ['', '', 13],
  });
  expect(tableOfCounts('failures', ROWS, ['status']).rows).toEqual([
    ['', 9],
    ['503', 3],
    ['500', 1],
  ]);
});

test('acknowledgement by day, in order of time; what nobody acknowledged has no percentiles', () => {
  expect(tableOfCounts('acknowledgement', ROWS, ['day', 'service'])).toEqual({
    columns: ['day', 'service', 'acknowledged', 'within_60_s', 'p50_ms', 'p95_ms'],
    rows: [
      ['2026-11-14', 'bakery', 0, '', '', ''],
      ['2026-11-14', 'shop', 10, 0.9, 1_024, 131_072],
      ['2026-11-15', 'shop', 0, '', '', ''],
    ],
    totals: ['', '', 10, 0.9, 1_024, 131_072],
  });
});

test('volume of the whole stage', () => {
  expect(tableOfCounts('volume', ROWS, [])).toEqual({
    columns: ['delivered', 'failed_attempts', 'exhausted', 'cancelled'],
    rows: [],
    totals: [11, 13, 1, 2],
  });
});

test('retries have a price, at list price of an attempt', () => {
  expect(tableOfCounts('retries', ROWS, ['service'])).toEqual({
    columns: ['service', 'failed_attempts', 'delivered', 'failed_per_delivered', 'retries_usd'],
    rows: [
      ['bakery', 7, 0, '', 0.000147],
      ['shop', 6, 11, 0.545, 0.000126],
    ],
    totals: ['', 13, 11, 1.182, 0.000273],
  });
});

test('a table may be of one reason alone; a question that knows none is not narrowed', () => {
  expect(tableOfCounts('failures', ROWS, ['service'], { reason: 'http_status', status: '503' }).rows).toEqual(
    [['shop', 3]],
  );
  expect(tableOfCounts('volume', ROWS, [], { reason: 'timeout' }).totals).toEqual([11, 13, 1, 2]);
});

test('a share is never rounded up to all', () => {
  const almost = row('shop', '2026-11-14', {
    delivered: 100_000,
    acknowledged_within_60_s: 99_999,
    acknowledged: { 40: 99_999, 68: 1 },
  });
  expect(tableOfCounts('acknowledgement', [almost], ['service']).rows[0]?.[2]).toBe(0.9999);
});

const message = (over: Partial<Unacknowledged> = {}): Unacknowledged => ({
  message_id: 'msg_1',
  payment_id: 'pay_1',
  service_id: 'shop',
  subscription_id: 'sub_1',
  event_type: 'invoice.paid',
  state: 'exhausted',
  admitted_at: '2026-11-14T23:30:00.000Z',
  last_failure_class: 'http_status',
  last_status_code: 503,
  ...over,
});

test('what was not acknowledged, by type and day in a time zone', () => {
  const messages = [
    message(),
    message({ state: 'parked', last_failure_class: undefined, last_status_code: undefined }),
    message({ event_type: 'invoice.sent', state: 'cancelled', admitted_at: '2026-11-14T10:00:00.000Z' }),
  ];
  expect(tableOfMessages(messages, ['type', 'day'], 'Europe/Berlin')).toEqual({
    columns: ['type', 'day', 'messages', 'waiting', 'exhausted', 'cancelled', 'oldest_admitted_at'],
    rows: [
      ['invoice.paid', '2026-11-15', 2, 1, 1, 0, '2026-11-14T23:30:00.000Z'],
      ['invoice.sent', '2026-11-14', 1, 0, 0, 1, '2026-11-14T10:00:00.000Z'],
    ],
    totals: ['', '', 3, 1, 1, 1, '2026-11-14T10:00:00.000Z'],
  });
  expect(
    tableOfMessages(messages, ['reason', 'status'], 'UTC').rows.map((cells) => cells.slice(0, 3)),
  ).toEqual([
    ['http_status', '503', 2],
    ['not attempted', '', 1],
  ]);
  expect(tableOfMessages(messages, ['hour'], 'UTC').rows.map((cells) => cells.slice(0, 2))).toEqual([
    ['2026-11-14T10:00:00.000Z', 1],
    ['2026-11-14T23:00:00.000Z', 2],
  ]);
});

test('messages are listed one by one, the oldest first', () => {
  const messages = [message({ message_id: 'msg_2' }), message({ admitted_at: '2026-11-14T10:00:00.007Z' })];
  const { columns, rows } = tableOfMessages(messages, ['message'], 'UTC', { service: 'shop', status: '503' });
  expect(columns.join()).toBe('message,admitted_at,service,subscription,payment,type,state,reason,status');
  expect(rows[0]?.join()).toBe(
    'msg_1,2026-11-14T10:00:00.007Z,shop,sub_1,pay_1,invoice.paid,exhausted,http_status,503',
  );
  expect(rows.map(([id]) => id)).toEqual(['msg_1', 'msg_2']);
  expect(tableOfMessages(messages, ['message'], 'UTC', { reason: 'timeout' }).rows).toEqual([]);
});

test('days begin where they do, also when clocks change', () => {
  const hours = ['2026-03-28T23:00', '2026-03-29T21:00', '2026-03-29T22:00'].map((since) => ({
    since: `${since}:00.000Z`,
    ...NOTHING,
    ...NO_DISTRIBUTIONS,
    delivered: 1,
    acknowledged: { 40: 1 },
  }));
  const of = { service_id: 'shop', subscription_id: 'sub_1' };
  const days = (zone: string) =>
    countedRows(of, hours, 'day', zone).map(({ since, delivered, acknowledged }) => [
      since,
      delivered,
      acknowledged[40],
    ]);
  expect(days('Europe/Berlin')).toEqual([
    ['2026-03-29', 2, 2],
    ['2026-03-30', 1, 1],
  ]);
  expect(days('UTC')).toEqual([
    ['2026-03-28', 1, 1],
    ['2026-03-29', 2, 2],
  ]);
  expect(countedRows(of, hours, 'hour', 'Europe/Berlin')).toHaveLength(3);
});

test('a row survives its way through the API, and so do its percentiles', () => {
  const sent = row('shop', '2026-11-14', {
    failures: { 503: 3, timeout: 2 },
    acknowledged: { 40: 9, 88: 2 },
  });
  expect(countedRowIn(countedRowView(sent))).toEqual(sent);
  const all = Object.fromEntries(Array.from({ length: 89 }, (_, bucket) => [bucket, bucket % 5]));
  const wide = row('shop', '2026-11-14', { acknowledged: all });
  const told = (one: CountedRow) => tableOfCounts('acknowledgement', [one], ['service']).rows;
  expect(told(countedRowIn(countedRowView(wide)))).toEqual(told(wide));
});
