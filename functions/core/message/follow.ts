import { instant } from '../text/instant.ts';
import type { MessageSummary } from './message-view.ts';

/**
 * How a client follows a list of messages, newest first, that it reads page by page. The order of the list is
 * that of `admitted_at`, but a message is listed only once its first attempt has ended or it began to wait:
 * perhaps long after messages that were admitted later.
 *
 * Each look reads on from the newest until a page tells nothing new, and besides once more a page of those
 * that may have changed, or that others may have come between: in turn, from the newest to the oldest.
 */

/**
 * How much later than one admitted after it a message may be listed, unless we fail for longer: a worker of
 * ours may die, whose records are redelivered after six minutes, behind an attempt of half a minute, and then
 * wait for the batches before them, a minute each.
 */
export const LISTED_WITHIN_MS = 10 * 60_000;

type Listed = Pick<MessageSummary, 'admitted_at' | 'ended_at'>;
type State = Pick<MessageSummary, 'state' | 'attempt_count'>;

/** From when on messages may still be missing beside the newest that is known. */
export function mayBeMissingSince(newestAdmittedAt: string): string {
  return instant(Date.parse(newestAdmittedAt) - LISTED_WITHIN_MS);
}

/** @param before as it was listed; undefined: it was not */
export function isNews({ state, attempt_count }: State, before: State | undefined): boolean {
  return before?.state !== state || before.attempt_count !== attempt_count;
}

/** Those that may change, or that others may come between. */
export function unsettled<Message extends Listed>(known: readonly Message[]): Message[] {
  const since = mayBeMissingSince(latest(known) ?? instant(0));
  return known.filter(({ admitted_at, ended_at }) => ended_at === undefined || admitted_at >= since);
}

/**
 * Up to where to read once more: just after the next unsettled message.
 *
 * @param top the oldest of the newest that were just read
 * @param readTo how far down the last time came; undefined: begin at the top
 */
export function againUntil(
  known: readonly Listed[],
  top: string,
  readTo: string | undefined,
): string | undefined {
  const waiting = unsettled(known);
  const below = (bound: string) => latest(waiting.filter(({ admitted_at }) => admitted_at <= bound));
  const next = (readTo === undefined ? undefined : below(readTo < top ? readTo : top)) ?? below(top);
  return next === undefined ? undefined : instant(Date.parse(next) + 1);
}

/** How far down a page reaches that was read up to an instant; undefined: nothing older is left. */
export function readDownTo(
  { messages, next_cursor }: { readonly messages: readonly Listed[]; readonly next_cursor?: string },
  until: string,
): string | undefined {
  const oldest = messages.at(-1)?.admitted_at;
  if (oldest === undefined || next_cursor === undefined) {
    return undefined;
  }
  // Where a page holds a single instant, what is left of that can only be found by its cursor.
  const last = instant(Date.parse(until) - 1);
  return oldest < last ? oldest : instant(Date.parse(oldest) - 1);
}

function latest(messages: readonly Listed[]): string | undefined {
  return messages.reduce<string | undefined>(
    (found, { admitted_at }) => (found !== undefined && found > admitted_at ? found : admitted_at),
    undefined,
  );
}
