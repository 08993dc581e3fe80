import { CLOSED } from '../functions/core/circuit.ts';
import { isOpenByHand, type OperatorsWish } from '../functions/core/operated.ts';
import { type Standing, standingOf } from '../functions/core/standing.ts';
import type { Subscription } from '../functions/core/subscription.ts';
import type { InLine } from '../functions/core/tick.ts';
import { textTable } from './text-table.ts';

/** Counting goes no further: whoever has so many has many. */
export const MOST_COUNTED = 10_000;

export function listText(
  found: readonly Subscription[],
  most: number,
  unreadable: readonly string[],
): string {
  if (found.length === 0) {
    return ['Every circuit is closed.', ...unreadable].join('\n');
  }
  const rows = found
    .slice(0, most)
    .map((one) => [
      one.circuit?.since ?? '',
      circuitText(standingOf(one)),
      one.service_id,
      one.subscription_id,
      String(one.circuit?.backlog?.waiting ?? ''),
    ]);
  const more = found.length - rows.length;
  return [
    `${found.length} ${found.length === 1 ? 'circuit is' : 'circuits are'} not closed, the oldest first; "waiting" is as last counted:`,
    ...textTable([['since', 'circuit', 'service', 'subscription', 'waiting'], ...rows]),
    ...(more > 0 ? [`  … and ${more} more; --limit shows more`] : []),
    ...unreadable,
  ].join('\n');
}

export function showText(subscription: Subscription, line: readonly InLine[], waiting: number): string {
  const { subscription_id, service_id, circuit = CLOSED } = subscription;
  const { since, failing_since, failed_keys } = circuit;
  return [
    `${subscription_id} of ${service_id}: ${circuitText(standingOf(subscription))}${since === undefined ? '' : ` since ${since}`}`,
    ...(failing_since === undefined ? [] : [`nothing but failures since ${failing_since}`]),
    ...(failed_keys.length === 0 ? [] : [`failed since the last quick success: ${failed_keys.join(', ')}`]),
    `${waiting === MOST_COUNTED ? `${waiting} or more` : waiting} ${waiting === 1 ? 'message waits' : 'messages wait'}; ${line.length === 0 ? 'no payment is' : 'payments'} in line${line.length === 0 ? '' : ', the first one first:'}`,
    ...(line.length === 0
      ? []
      : textTable([
          ['in line since', 'key', 'oldest message'],
          ...line.map(({ parked_at, ordering_key, oldest_since }) => [parked_at, ordering_key, oldest_since]),
        ])),
  ].join('\n');
}

/** How a circuit stands, in a few words. */
export function circuitText(standing: Standing): string {
  const { state, circuit } = standing;
  if (state !== 'active') {
    return `${circuit.state} (the subscription is ${state})`;
  }
  switch (circuit.state) {
    case 'open':
      return isOpenByHand(standing) ? 'open by hand' : `open, probed at ${circuit.probe_at}`;
    case 'half_open':
      return circuit.probe_key === undefined
        ? 'half open, the next message is the probe'
        : `half open, ${circuit.probe_key} probes`;
    case 'draining':
      return `draining, ${circuit.window} at a time`;
    case 'closed':
      return 'closed';
  }
}

/** What an operator's wish means, as the end of a sentence: `would be` or `is` before it. */
export function changeText(wish: OperatorsWish, after: Standing): string {
  switch (after.circuit.state) {
    case 'open':
      return 'opened: nothing is sent to it, not even probes, until you close or drain it; what is over 76 hours old by then is given up';
    case 'draining':
      return `drained: what waits is sent in order, one payment at first, then more${wish === 'close' ? '; there is somebody in line, so it closes by that' : ', until it closes by itself'}`;
    default:
      return 'closed: messages are sent as they come; nobody is in line';
  }
}
