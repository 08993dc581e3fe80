import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { printable, textTable } from '../../terminal/terminal.ts';
import type { StuckKey, WaitingMessage } from './ordering-key-table.ts';

export function listText(keys: readonly StuckKey[], unreadable: readonly string[]): string {
  const lines =
    keys.length === 0
      ? ['No payment waits for you.']
      : [
          `${keys.length} ${keys.length === 1 ? 'payment waits' : 'payments wait'} for you, the oldest first:`,
          ...textTable([
            ['since', 'service', 'ordering key', 'explanation'],
            ...keys.map(({ since, service_id, ordering_key, explanation }) => [
              since,
              service_id,
              ordering_key,
              explanation,
            ]),
          ]),
        ];
  return [...lines, ...unreadable.map(printable)].join('\n');
}

export function keyText(
  name: string,
  key: BlockedKey | undefined,
  waiting: readonly WaitingMessage[],
  count: number,
): string {
  const rows = waiting.map(({ queuedMessage, record }) => [
    queuedMessage.position,
    queuedMessage.message_id,
    record?.event_type ?? '',
    record === undefined ? 'not in the history' : `${record.state} ${record.state_reason ?? ''}`.trim(),
    queuedMessage.since,
    String(record?.attempt_count ?? ''),
  ]);
  return [
    `${printable(name)}: ${stateText(key)}`,
    ...(key === undefined ? [] : [`service ${key.service_id}, its oldest message is of ${key.oldest_since}`]),
    `${count} ${count === 1 ? 'message waits' : 'messages wait'}, the first one first:`,
    ...textTable([['position', 'message', 'type', 'state', 'since', 'attempts'], ...rows]),
    ...(count > waiting.length ? [`  … and ${count - waiting.length} more; --limit shows more`] : []),
  ].join('\n');
}

/** What an ordering key does now, as the end of a sentence. */
export function stateText(key: BlockedKey | undefined | 'unchanged'): string {
  if (key === undefined) {
    return 'not blocked any more: every message that waited has ended';
  }
  if (key === 'unchanged') {
    return 'as it was: its signal has not been handled yet. Does deliver run? Look again later with stuck show';
  }
  switch (key.state) {
    case 'waiting':
      return `waiting, its first message is due at ${key.due_at}`;
    case 'backlogged':
      return `in the backlog since ${key.backlogged_at}, until the circuit of its subscription lets it go`;
    case 'stuck':
      return `waiting for you since ${key.since}: ${printable(key.explanation)}`;
  }
}

/**
 * What came of a signal. After a skip the payment may still wait for the operator: another skip gives up the
 * next message.
 */
export function outcomeText(
  after: BlockedKey | undefined | 'unchanged',
  signalKind: 'release' | 'skip',
  givenUp: string | undefined,
): string {
  if (givenUp !== undefined) {
    return `${givenUp} was given up; the payment is ${stateText(after)}`;
  }
  const isInVain =
    signalKind === 'release' && after !== undefined && after !== 'unchanged' && after.state === 'stuck';
  return isInVain ? `the attempt failed; ${stateText(after)}` : stateText(after);
}
