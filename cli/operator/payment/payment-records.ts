import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paymentReader } from '../../../functions/adapters/dynamodb/history/payment-reader.ts';
import { progressReader } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import {
  MAX_ITEMS_OF_A_PAYMENT,
  type RecordedMessage,
} from '../../../functions/core/message/message-history.ts';
import type { PaymentName } from '../../../functions/core/sequence/payment-sequence.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { Course } from '../../../functions/core/timeline/message-timeline.ts';
import { MAX_LATER_ATTEMPTS } from '../../../functions/core/timeline/timeline-view.ts';
import { unlessRefused, WITHHELD, type Withheld } from '../../stage/attempt-details.ts';
import { seenSubscription } from '../../stage/seen-subscription.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { orderingKeyTable } from '../stuck/ordering-key-table.ts';

/** What a stage has on record of a payment, as far as the caller may see it. */
export function paymentRecords(
  client: DynamoDBClient,
  tables: Awaited<ReturnType<StageAccess['tables']>>,
  withheld: Withheld,
) {
  const detailed = paymentReader(client, tables.history);
  const plain = paymentReader(client, tables.history, { isDetailed: false });
  return {
    /** The newest messages, and whether there are more. */
    async messages(payment: PaymentName, max: number) {
      const found =
        (await unlessRefused(() => detailed(payment), withheld, WITHHELD.answers)) ?? (await plain(payment));
      if (found === undefined) {
        throw new ExplainedError(
          `More than ${MAX_ITEMS_OF_A_PAYMENT} messages and attempts are on record of the payment ${payment.payment_id}, too many to sort them.`,
        );
      }
      const courses = found
        .slice(0, max)
        .map(({ record, laterAttempts }) =>
          courseOf({ record, laterAttempts: laterAttempts.slice(-MAX_LATER_ATTEMPTS) }),
        );
      return { courses, isAll: found.length <= max };
    },
    progress: progressReader(client, tables.sequences),
    subscription: (service_id: string, subscription_id: string) =>
      seenSubscription(client, tables.subscriptions, { service_id, subscription_id }, withheld),
    /** The ordering key; undefined when it is not blocked. */
    blocked: (orderingKey: string) => orderingKeyTable(client, tables).key(orderingKey),
  };
}

/**
 * A message with its attempts. Where the caller may not read the first one, with its answer, as much of it is
 * told as the rest of the record shows: when it began, and what came of it if it was the only one.
 */
export function courseOf({ record, laterAttempts }: RecordedMessage): Course {
  return { record, attempts: [...firstOf(record), ...laterAttempts] };
}

function firstOf(record: RecordedMessage['record']): Course['attempts'] {
  const { first_attempt, attempt_count, last_attempt_at, last_status_code, last_failure_class } = record;
  if (first_attempt !== undefined) {
    return [first_attempt];
  }
  if (attempt_count === 1 && last_attempt_at !== undefined) {
    return [
      {
        attempt: 1,
        started_at: last_attempt_at,
        ...(last_status_code === undefined ? {} : { status_code: last_status_code }),
        ...(last_failure_class === undefined ? {} : { failure_class: last_failure_class }),
      },
    ];
  }
  const { admitted_at, held_ms = 0, time_to_send_ms } = record;
  return time_to_send_ms === undefined
    ? []
    : [{ attempt: 1, started_at: instant(Date.parse(admitted_at) + held_ms + time_to_send_ms) }];
}
