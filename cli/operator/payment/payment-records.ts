import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paymentReader } from '../../../functions/adapters/dynamodb/history/payment-reader.ts';
import { progressReader } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { MAX_ITEMS_OF_A_PAYMENT } from '../../../functions/core/message/message-history.ts';
import type { PaymentName } from '../../../functions/core/sequence/payment-sequence.ts';
import { MAX_LATER_ATTEMPTS } from '../../../functions/core/timeline/timeline-view.ts';
import { seenSubscription } from '../../stage/seen-subscription.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { unlessRefused, WITHHELD, type Withheld } from '../../stage/withheld.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { orderingKeyTable } from '../stuck/ordering-key-table.ts';
import { courseOf } from './known-attempts.ts';

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
