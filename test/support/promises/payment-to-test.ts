import { randomUUID } from 'node:crypto';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { recordOf } from '../../../functions/core/message/outcome.ts';
import type { BlockedKey, QueuedMessage } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { message } from '../builders.ts';

type InState<State extends BlockedKey['state']> = Extract<BlockedKey, { state: State }>;

/**
 * A payment that nobody else uses, so that tests may share tables: its ordering key in each state, and its
 * messages.
 */
export interface PaymentToTest {
  readonly name: {
    readonly service_id: string;
    readonly subscription_id: string;
    readonly payment_id: string;
  };
  readonly key: {
    readonly waiting: InState<'waiting'>;
    readonly inBacklog: InState<'backlogged'>;
    readonly stuck: InState<'stuck'>;
  };
  queued(number: number): QueuedMessage;
  record(number: number, over?: Partial<MessageRecord>): MessageRecord;
}

export function paymentToTest(subscriptionId = `sub_${randomUUID()}`): PaymentToTest {
  const name = {
    ...{ service_id: 'bakery', subscription_id: subscriptionId },
    payment_id: `pay-${randomUUID()}`,
  };
  const lasting = {
    ...{ ...name, ordering_key: orderingKey(name) },
    ...{ revision: 3, oldest_since: '2026-11-14T10:00:00.000Z' },
  };
  const record: PaymentToTest['record'] = (number, over = {}) => ({
    ...recordOf(message({ ...name, event_id: `evt-${number}` })),
    ...{ state: 'parked', attempt_count: 0 },
    ...over,
  });
  return {
    name,
    key: {
      waiting: {
        ...{ ...lasting, state: 'waiting' },
        ...{ due_at: '2026-11-14T10:00:05.000Z', check_at: '2026-11-14T10:02:05.000Z' },
      },
      inBacklog: {
        ...{ ...lasting, state: 'backlogged' },
        ...{ backlogged_at: '2026-11-14T10:00:01.000Z', check_at: '2026-11-14T10:00:01.000Z' },
        age_check_at: '2026-11-17T14:00:00.000Z',
      },
      stuck: { ...lasting, state: 'stuck', since: '2026-11-14T10:00:01.000Z', explanation: 'no secret' },
    },
    queued: (number) => ({
      ordering_key: lasting.ordering_key,
      position: String(number).padStart(39, '0'),
      message_id: record(number).message_id,
      ...{ since: '2026-11-14T10:00:00.000Z', failed_attempts: 0 },
    }),
    record,
  };
}
