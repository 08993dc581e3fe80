import { isPing } from '../../../functions/core/catalogue/ping-names.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { timeToAcknowledgeMs } from '../../../functions/core/message/time-to-acknowledge.ts';
import { queryOf } from '../../app/route.ts';
import type { Page } from '../../messages/merge.ts';
import type { Statistics } from '../subscription.ts';
import { type Counted, RANGES } from './hours.ts';

/** A request has a hundred messages. */
const MAX_PAGES = 5;
const HOUR_MS = 3_600_000;

export type Shown = Pick<Statistics, 'waiting'> & {
  readonly periods: readonly Counted[];
  /** Of the last hour: the messages that were read, and in how many pages. */
  readonly messages?: number;
  readonly pages?: number;
};

/**
 * What became of the messages of the last hour, in twelve parts of it: counts by the hour do not tell. Of more
 * messages than are read, of the time since the oldest of the latest ones.
 *
 * @param get what is below the path of the subscription
 */
export async function lastHour(get: <Body>(of: string) => Promise<Body>, untilMs: number): Promise<Shown> {
  const { waiting } = await get<Statistics>('statistics?by=hour');
  const since = new Date(untilMs - HOUR_MS).toISOString();
  const messages: MessageSummary[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page: Page = await get(`messages${queryOf({ limit: '100', since, cursor })}`);
    messages.push(...page.messages);
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== undefined && pages < MAX_PAGES);
  const own = messages.filter((message) => !isPing(message));
  const from = (cursor && messages.at(-1)?.admitted_at) || since;
  return { waiting, periods: partsOf(own, Date.parse(from), untilMs), messages: own.length, pages };
}

/** By when they were accepted. Their failed attempts are all but the one that delivered. */
function partsOf(messages: readonly MessageSummary[], sinceMs: number, untilMs: number): readonly Counted[] {
  const { periods } = RANGES.hour;
  const partMs = Math.max(1, (untilMs - sinceMs) / periods);
  const partOf = ({ admitted_at }: MessageSummary) =>
    Math.min(periods - 1, Math.floor((Date.parse(admitted_at) - sinceMs) / partMs));
  return Array.from({ length: periods }, (_, part) => {
    const within = messages.filter((message) => partOf(message) === part);
    const failed = within.map(({ attempt_count: made, last_failure_class: last }) =>
      last === undefined ? Math.max(0, made - 1) : made,
    );
    return {
      since: new Date(sinceMs + part * partMs).toISOString(),
      delivered: within.filter(({ state }) => state === 'succeeded').length,
      failed_attempts: failed.reduce((sum, one) => sum + one, 0),
      time_to_send_p95_ms: p95(within.map(({ time_to_send_ms }) => time_to_send_ms)),
      time_to_acknowledge_p95_ms: p95(within.map(timeToAcknowledgeMs)),
    };
  });
}

function p95(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((one, other) => one - other);
  return known[Math.ceil(known.length * 0.95) - 1];
}
