import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { MAX_COUNTED } from '../../functions/core/trouble/max-counted.ts';
import { TEXT } from '../texts.ts';
import type { Sentence } from '../words/numbers.ts';
import { count, counted } from '../words/numbers.ts';
import { duration } from '../words/time.ts';

/** What the API answers about endpoints in trouble. */
export interface Troubled {
  readonly endpoints: readonly EndpointView[];
  /** Not examined. */
  readonly more: number;
  /** More payments wait for a retry than were examined. */
  readonly is_cut: boolean;
  readonly unreadable: number;
}

/**
 * Since when an endpoint is in trouble, what waits, and when it is tried next.
 *
 * @param p95Ms event to acknowledgement, where it is known; said of slow ones
 */
export function endpointSentence(endpoint: EndpointView, p95Ms?: number): Sentence {
  const { since, waiting, circuit, attempts, failed_attempts, refused_payments: refused } = endpoint;
  const text = TEXT.stage;
  return [
    ...(since === undefined ? [] : [text.since, { at: since }, '.']),
    text.waiting(`${count(waiting)}${waiting >= MAX_COUNTED ? text.orMore : ''}`),
    ...(circuit.next_probe_at === undefined
      ? []
      : [TEXT.health.nextTry, { away: circuit.next_probe_at }, '.']),
    ...(circuit.state === 'half_open' ? [TEXT.health.probing] : []),
    ...(attempts === 0 ? [] : [text.failed(failed_attempts, attempts)]),
    ...(endpoint.health === 'slow' && p95Ms !== undefined ? [text.p95(duration(p95Ms))] : []),
    ...(refused === 0 ? [] : [text.refused(refused)]),
  ];
}

/** What the list may lack, a sentence for each reason. */
export function lacksOf({ more, is_cut, unreadable }: Troubled): readonly string[] {
  const text = TEXT.stage;
  return [
    ...(more === 0 ? [] : [text.more(counted(more, 'more endpoint'))]),
    ...(unreadable === 0 ? [] : [text.unreadable(counted(unreadable, 'endpoint'))]),
    ...(is_cut ? [text.cut] : []),
  ];
}
