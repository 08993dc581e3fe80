import {
  type Dimension,
  GROUPS,
  QUESTIONS,
  type Question,
} from '../../functions/core/analysis/analysis-table.ts';
import { dateIn } from '../../functions/core/analysis/counted-row.ts';
import type { Span } from '../../functions/core/analysis/ports.ts';

/** A question as its address has it: whoever keeps the address has kept the question. */
export interface Asked {
  readonly question: Question;
  readonly by: readonly Dimension[];
  /** How many days up to now; empty for a period of its own. */
  readonly days: string;
  readonly since: string;
  readonly until: string;
  /** In which days begin. */
  readonly zone: string;
  readonly service: string;
  readonly subscription: string;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
  readonly live: string;
  /** `yes`: with the period before. */
  readonly compared: string;
}

/** What a table is narrowed to after it was read; by service, type and live the API narrows. */
export const NARROWED = ['subscription', 'reason', 'status'] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const DAYS = ['1', '7', '28', ''] as const;

/** What an address leaves out, or has wrong, is as usual. */
export function askedOf(parameters: URLSearchParams, zone: string): Asked {
  const text = (name: string) => parameters.get(name) ?? '';
  const question = QUESTIONS.find((one) => one === text('question')) ?? 'failures';
  const by = [...new Set(text('by').split(','))]
    .filter((one): one is Dimension => GROUPS[question].includes(one as Dimension))
    .slice(0, 2);
  const [since, until] = [validInstant(text('since')), validInstant(text('until'))];
  const isOwn = since !== '' && until !== '';
  const known = (name: Dimension) => (GROUPS[question].includes(name) ? text(name) : '');
  return {
    question,
    by: by.length === 0 ? ['service'] : by,
    days: isOwn ? '' : (DAYS.find((one) => one !== '' && one === text('days')) ?? '7'),
    since,
    until,
    zone: text('zone') || zone,
    service: text('service'),
    subscription: text('subscription'),
    reason: known('reason'),
    status: known('status'),
    type: known('type'),
    live: question === 'not-acknowledged' ? text('live') : '',
    compared: text('compared'),
  };
}

export function parametersOf({ by, days, since, until, ...asked }: Asked): Record<string, string> {
  return { ...asked, by: by.join(','), ...(days === '' ? { since, until } : { days }) };
}

/** From when until when, in UTC. */
export function periodOf(
  { days, since, until }: Pick<Asked, 'days' | 'since' | 'until'>,
  nowMs: number,
): Span {
  return days === ''
    ? { since, until }
    : { since: instantAt(nowMs - Number(days) * DAY_MS), until: instantAt(nowMs) };
}

/** As long, and ending where this one begins. */
export function periodBefore({ since, until }: Span): Span {
  const ms = Date.parse(until) - Date.parse(since);
  return { since: instantAt(Date.parse(since) - ms), until: since };
}

/** By the hour where days would be one or two; rows by day are fewer. */
export function lengthOf({ by }: Pick<Asked, 'by'>, { since, until }: Span): 'hour' | 'day' {
  const isShort = Date.parse(until) - Date.parse(since) <= 2 * DAY_MS;
  return by.includes('hour') || (isShort && !by.includes('day')) ? 'hour' : 'day';
}

/** An hour or a day: as rows name it, and when it begins. */
export interface Time {
  readonly name: string;
  readonly since: string;
}

/** All days or hours of a period. */
export function timesIn(length: 'hour' | 'day', zone: string, { since, until }: Span): readonly Time[] {
  const nameOf = length === 'hour' ? (at: string) => at : dateIn(zone);
  const times = new Map<string, string>();
  const first = Date.parse(since) - (Date.parse(since) % HOUR_MS);
  for (let ms = first; ms < Date.parse(until); ms += HOUR_MS) {
    const [at, name] = [instantAt(ms), nameOf(instantAt(ms))];
    if (!times.has(name)) times.set(name, at < since ? since : at);
  }
  return [...times].map(([name, at]) => ({ name, since: at }));
}

function instantAt(ms: number): string {
  return new Date(ms).toISOString();
}

function validInstant(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? '' : instantAt(ms);
}

/** The same question about a part of its period: of a day or two, by the hour. */
export function within(asked: Asked, since: string, until: string): Asked {
  const next = { ...asked, days: '' as const, since, until };
  const isShort = Date.parse(until) - Date.parse(since) <= 2 * DAY_MS;
  return isShort ? { ...next, by: asked.by.map((one) => (one === 'day' ? 'hour' : one)) } : next;
}

/** What a question is broken down by next, where nothing else is asked for. */
const NEXT: readonly Dimension[] = ['service', 'subscription', 'reason', 'message', 'day'];

/** The same question about one row of its answer: what a click on a cell asks. */
export function narrowed(
  asked: Asked,
  dimension: Dimension,
  value: string,
  times: readonly Time[],
  until: string,
): Asked {
  if (dimension === 'day' || dimension === 'hour') {
    const index = times.findIndex(({ name }) => name === value);
    const since = times[index]?.since;
    return since === undefined ? asked : within(asked, since, times[index + 1]?.since ?? until);
  }
  if (dimension === 'message' || value === '') return asked;
  const rest = asked.by.filter((one) => one !== dimension);
  const known: Partial<Record<Dimension, string>> = { ...asked, [dimension]: value };
  const next = NEXT.find((one) => GROUPS[asked.question].includes(one) && !known[one]);
  return { ...asked, [dimension]: value, by: rest.length > 0 || next === undefined ? rest : [next] };
}
