import { CLOSED } from '../../../functions/core/circuit/circuit.ts';
import type { InBacklog } from '../../../functions/core/ordering/circuit-timer.ts';
import type { Endpoint } from '../../../functions/core/trouble/endpoints.ts';
import type { Troubled } from '../../../functions/core/trouble/troubled.ts';
import { printable, textTable } from '../../terminal/terminal.ts';
import { endpointLines } from './endpoint-text.ts';

export interface Circuits extends Troubled {
  /** What the caller may not read, as sentences. */
  readonly withheld: readonly string[];
}

export function listText(found: Circuits, nowMs: number): string {
  const { count, notClosed, refusing, more, isCut, unreadable, withheld } = found;
  const text = [
    notClosed.length === 0
      ? ['Every circuit is closed.']
      : [
          `${count} ${count === 1 ? 'circuit is' : 'circuits are'} not closed, the longest first:`,
          ...notClosed.flatMap((one) => ['', ...endpointLines(one, nowMs)]),
        ],
    refusing.length === 0
      ? []
      : [
          '',
          `${refusing.length} ${refusing.length === 1 ? 'endpoint is' : 'endpoints are'} well and ${refusing.length === 1 ? 'refuses' : 'refuse'} some payments again and again:`,
          ...refusing.flatMap((one) => ['', ...endpointLines(one, nowMs)]),
        ],
    more > 0 ? ['', `… and ${more} more; --limit shows more`] : [],
    isCut
      ? ['', 'More payments wait for a retry than were examined: others may be refused again and again too.']
      : [],
    unreadable.length === 0 ? [] : ['', ...unreadable.map(printable)],
    withheld.length === 0 ? [] : ['', ...withheld],
  ];
  return text.flat().join('\n');
}

export function showText(
  endpoint: Endpoint,
  backlog: readonly InBacklog[],
  withheld: readonly string[],
  nowMs: number,
): string {
  const { failed_ordering_keys } = endpoint.subscription.circuit ?? CLOSED;
  return [
    ...endpointLines(endpoint, nowMs),
    ...(failed_ordering_keys.length === 0
      ? []
      : [`Failed since the last success: ${failed_ordering_keys.map(printable).join(', ')}`]),
    ...(backlog.length === 0
      ? ['The backlog is empty.']
      : [
          'Backlog, the longest waiting first:',
          ...textTable([
            ['waiting since', 'ordering key', 'oldest message'],
            ...backlog.map(({ backlogged_at, ordering_key, oldest_since }) => [
              backlogged_at,
              ordering_key,
              oldest_since,
            ]),
          ]),
        ]),
    ...(withheld.length === 0 ? [] : ['', ...withheld]),
  ].join('\n');
}
