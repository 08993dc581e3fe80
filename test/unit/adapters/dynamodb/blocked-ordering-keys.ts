import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import type { BlockedKey, QueuedMessage } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import { message } from '../../../support/builders.ts';

const KEY = {
  ordering_key: 'sub_1.pay-1',
  service_id: 'bakery',
  subscription_id: 'sub_1',
  payment_id: 'pay-1',
  revision: 3,
  oldest_since: '2026-11-14T10:00:00.000Z',
};

export const WAITING: BlockedKey & { state: 'waiting' } = {
  ...KEY,
  state: 'waiting',
  due_at: '2026-11-14T10:00:05.000Z',
  check_at: '2026-11-14T10:02:05.000Z',
};

export const IN_BACKLOG: BlockedKey & { state: 'backlogged' } = {
  ...KEY,
  state: 'backlogged',
  backlogged_at: '2026-11-14T10:00:01.000Z',
  check_at: '2026-11-14T10:00:01.000Z',
  age_check_at: '2026-11-17T14:00:00.000Z',
};

export const FAULT: BlockedKey = {
  ...KEY,
  state: 'stuck',
  since: '2026-11-14T10:00:01.000Z',
  explanation: 'no secret',
};

export function queuedMessage(number: number): QueuedMessage {
  return {
    ordering_key: KEY.ordering_key,
    position: String(number).padStart(39, '0'),
    message_id: record(number).message_id,
    since: '2026-11-14T10:00:00.000Z',
    failed_attempts: 0,
  };
}

/** A waiting message with its body in its own item. */
export function record(number: number, over: Partial<MessageRecord> = {}): MessageRecord {
  return {
    ...recordOf(message({ event_id: `evt-${number}` })),
    state: 'parked',
    attempt_count: 0,
    ...over,
  };
}
