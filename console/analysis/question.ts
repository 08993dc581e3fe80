import {
  type Dimension,
  GROUPS,
  QUESTIONS,
  type Question,
} from '../../functions/core/analysis/analysis-table.ts';
import { dateIn } from '../../functions/core/analysis/counted-row.ts';

/** A question as its address has it: whoever keeps the address has kept the question. */
export interface Asked {
  readonly question: Question;
  readonly by: readonly Dimension[];
  /** The last so many days; empty for a period of its own. */
  readonly days: string;
  readonly since: string;
  readonly until: string;
  /** In which days begin. */
  readonly zone: string;
  readonly service: string;
  readonly type: string;
  readonly live: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const DAYS = ['1', '7', '28', ''] as const;

/** What an address leaves out, or has wrong, is as usual. */
export function askedOf(parameters: URLSearchParams, zone: string): Asked {
  const text = (name: string) => parameters.get(name) ?? '';
  const question = QUESTIONS.find((one) => one === text('question')) ?? 'failures';
  const by = text('by')
    .split(',')
    .filter((one): one is Dimension => GROUPS[question].includes(one as Dimension))
    .slice(0, 2);
  const [since, until] = [text('since'), text('until')];
  const isOwn = since !== '' && until !== '';
  return {
    question,
    by: by.length === 0 ? ['service'] : by,
    days: isOwn ? '' : (DAYS.find((one) => one !== '' && one === text('days')) ?? '7'),
    since,
    until,
    zone: text('zone') || zone,
    service: text('service'),
    type: text('type'),
    live: text('live'),
  };
}

export function parametersOf({
  by,
  days,
  since,
  until,
  type,
  live,
  ...asked
}: Asked): Record<string, string> {
  const isOfMessages = asked.question === 'not-acknowledged';
  return {
    ...asked,
    by: by.join(','),
    ...(days === '' ? { since, until } : { days }),
    ...(isOfMessages ? { type, live } : {}),
  };
}

/** From when until when, in UTC. */
export function periodOf({ days, since, until }: Asked, nowMs: number): { since: string; until: string } {
  return days === ''
    ? { since, until }
    : { since: instantAt(nowMs - Number(days) * DAY_MS), until: instantAt(nowMs) };
}

/** As long, and ending where this one begins. */
export function periodBefore({ since, until }: { since: string; until: string }) {
  const ms = Date.parse(until) - Date.parse(since);
  return { since: instantAt(Date.parse(since) - ms), until: since };
}

/** All days or hours of a period, as rows name them. */
export function timesIn(
  { by, zone }: Asked,
  { since, until }: { since: string; until: string },
): readonly string[] {
  const isByHour = by[0] === 'hour';
  const nameOf = isByHour ? (at: string) => `${at.slice(0, 13)}:00:00.000Z` : dateIn(zone);
  const times = new Set<string>();
  for (let ms = Date.parse(since); ms < Date.parse(until); ms += HOUR_MS) {
    times.add(nameOf(instantAt(ms)));
  }
  return [...times];
}

function instantAt(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same question about one row of its answer: what a click on a cell asks. */
export function narrowed(asked: Asked, dimension: Dimension, value: string): Asked {
  const rest = asked.by.filter((one) => one !== dimension);
  const by = rest.length > 0 ? rest : ([dimension === 'service' ? 'subscription' : 'service'] as const);
  switch (dimension) {
    case 'service':
      return { ...asked, service: value, by };
    case 'type':
      return { ...asked, type: value, by };
    case 'hour':
      return { ...asked, days: '', since: value, until: instantAt(Date.parse(value) + HOUR_MS), by };
    default:
      return asked;
  }
}
