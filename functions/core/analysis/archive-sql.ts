import { instant } from '../text/instant.ts';
import { DIMENSIONS, type Dimension, GROUPS, type Only, type Question } from './analysis-table.ts';
import { RETRY_USD } from './list-prices.ts';
import type { Span } from './ports.ts';

export interface AskedOfArchive extends Span {
  readonly question: Question;
  readonly by: readonly Dimension[];
  /** In which days begin. */
  readonly zone: string;
  readonly only: Only;
  /** `true` or `false` for live or test payments alone; empty for both. */
  readonly live?: string;
}

/** What a question reads: rows with `at`, `reason` and `status`, and what is reckoned of each group. */
interface Source {
  readonly rows: (span: Span) => string;
  readonly columns: readonly string[];
}

const WHOSE = 'service_id, subscription_id, message_id, event_type, live';
const days = ({ since, until }: Span) => `day BETWEEN '${since.slice(0, 10)}' AND '${until.slice(0, 10)}'`;
const within = (column: string, { since, until }: Span) =>
  `${column} >= '${since}' AND ${column} < '${until}'`;
const status = (prefix: string) =>
  `CASE WHEN ${prefix}failure_class = 'http_status' THEN CAST(${prefix}status_code AS varchar) ELSE '' END AS status`;

const failed = (span: Span) =>
  `SELECT DISTINCT ${WHOSE}, attempt, started_at AS at, 'failed' AS became, failure_class AS reason, ${status('')}
  FROM attempts
  WHERE ${days(span)} AND ${within('started_at', span)} AND failure_class IS NOT NULL`;

const endedOrFailed = (span: Span) =>
  `SELECT DISTINCT ${WHOSE}, 0 AS attempt, ended_at AS at, state AS became, '' AS reason, '' AS status
  FROM messages
  WHERE ${days(span)} AND ${within('ended_at', span)}
  UNION ALL
  ${failed(span)}`;

const became = (state: string) => `count(*) FILTER (WHERE became = '${state}')`;
const DELIVERED = `${became('succeeded')} AS delivered`;
const FAILED = `${became('failed')} AS failed_attempts`;

const SOURCES: Readonly<Record<Question, Source>> = {
  failures: { rows: failed, columns: ['count(*) AS failed_attempts'] },
  acknowledgement: {
    rows: (span) =>
      `SELECT DISTINCT ${WHOSE}, ended_at AS at, '' AS reason, '' AS status,
    date_diff('millisecond', from_iso8601_timestamp(admitted_at), from_iso8601_timestamp(ended_at)) AS ms
  FROM messages
  WHERE ${days(span)} AND ${within('ended_at', span)} AND state = 'succeeded' AND NOT coalesce(late, false)`,
    columns: [
      'count(*) AS acknowledged',
      'round(1.0 * count(*) FILTER (WHERE ms <= 60000) / count(*), 4) AS within_60_s',
      'approx_percentile(ms, 0.5) AS p50_ms',
      'approx_percentile(ms, 0.95) AS p95_ms',
    ],
  },
  volume: {
    rows: endedOrFailed,
    columns: [
      DELIVERED,
      FAILED,
      ...['exhausted', 'cancelled'].map((state) => `${became(state)} AS ${state}`),
    ],
  },
  retries: {
    rows: endedOrFailed,
    columns: [FAILED, DELIVERED, `${became('failed')} * ${RETRY_USD.toFixed(6)} AS retries_usd`],
  },
  'not-acknowledged': {
    rows: (span) =>
      `SELECT *, admitted_at AS at, coalesce(last_failure_class, 'not attempted') AS reason, ${status('last_')}
  FROM (
    SELECT *, row_number() OVER (PARTITION BY message_id ORDER BY ended_at DESC) AS from_the_last
    FROM messages
    WHERE day >= '${span.since.slice(0, 10)}' AND ${within('admitted_at', span)}
  )
  WHERE from_the_last = 1 AND state <> 'succeeded'`,
    columns: [
      'count(*) AS messages',
      ...['exhausted', 'cancelled'].map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`),
      'min(at) AS oldest_admitted_at',
    ],
  },
};

const OF_MESSAGES = ['payment_id AS payment', 'event_type AS type', 'state', 'reason', 'status'];

/** A question as a statement for the archive. It has only what ended: nothing there waits. */
export function archiveSql({ question, by, zone, only, live = '', ...asked }: AskedOfArchive): string {
  // What an address says may be anything: an instant is none but an instant.
  const [since, until] = [asked.since, asked.until].map((at) => instant(Date.parse(at))) as [string, string];
  const span = { since, until };
  const { rows, columns } = SOURCES[question];
  const column = (one: Dimension) => `${columnOf(one, zone)} AS ${one}`;
  const wanted = DIMENSIONS.filter((one) => GROUPS[question].includes(one) && only[one]);
  const wheres = [
    ...wanted.map((one) => `${columnOf(one, zone)} = ${quoted(only[one] ?? '')}`),
    ...(live === '' ? [] : [`live = ${live === 'true'}`]),
  ];
  const isList = by.includes('message');
  const shown = isList
    ? [
        'message_id AS message',
        'at AS admitted_at',
        column('service'),
        column('subscription'),
        ...OF_MESSAGES,
      ]
    : [...by.map(column), ...columns];
  const places = by.map((_, place) => place + 1).join(', ');
  return [
    `-- ${question}, ${since} until ${until}: of what has ended, some five minutes late.`,
    `SELECT\n  ${shown.join(',\n  ')}\nFROM (\n  ${rows(span)}\n)`,
    ...(wheres.length === 0 ? [] : [`WHERE ${wheres.join(' AND ')}`]),
    ...(isList ? ['ORDER BY at'] : places === '' ? [] : [`GROUP BY ${places}\nORDER BY ${places}`]),
  ].join('\n');
}

function columnOf(dimension: Dimension, zone: string): string {
  switch (dimension) {
    case 'service':
    case 'subscription':
    case 'message':
      return `${dimension}_id`;
    case 'type':
      return 'event_type';
    case 'day':
      return `date_format(from_iso8601_timestamp(at) AT TIME ZONE ${quoted(zone)}, '%Y-%m-%d')`;
    case 'hour':
      return "substr(at, 1, 13) || ':00:00.000Z'";
    default:
      return dimension;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
