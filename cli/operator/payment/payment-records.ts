import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { courseReader } from '../../../functions/adapters/dynamodb/history/course-reader.ts';
import { historyPages } from '../../../functions/adapters/dynamodb/history/history-pages.ts';
import { progressReader } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import type { Page } from '../../../functions/core/message/message-history.ts';
import type { PaymentName } from '../../../functions/core/sequence/payment-sequence.ts';
import { MAX_LATER_ATTEMPTS } from '../../../functions/core/timeline/timeline-view.ts';
import { seenSubscription } from '../../stage/seen-subscription.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { unlessRefused, WITHHELD, type Withheld } from '../../stage/withheld.ts';
import { orderingKeyTable } from '../stuck/ordering-key-table.ts';
import { courseOf } from './known-attempts.ts';

/** What a stage has on record of a payment, as far as the caller may see it. */
export function paymentRecords(
  client: DynamoDBClient,
  tables: Awaited<ReturnType<StageAccess['tables']>>,
  withheld: Withheld,
) {
  const page = historyPages(client, tables.history);
  const detailed = courseReader(client, tables.history);
  const plain = courseReader(client, tables.history, { isDetailed: false });
  const course = async (messageId: string) =>
    (await unlessRefused(() => detailed(messageId, MAX_LATER_ATTEMPTS), withheld, WITHHELD.answers)) ??
    (await plain(messageId, MAX_LATER_ATTEMPTS));
  return {
    /** The newest messages, and whether there are more. */
    async messages({ service_id, payment_id }: PaymentName, max: number) {
      const found: Page['messages'] = [];
      let next: Page['next'];
      do {
        const wanted = { limit: max - found.length, ...(next === undefined ? {} : { after: next }) };
        const more = await page({ serviceId: service_id, paymentId: payment_id }, wanted);
        found.push(...more.messages);
        next = more.next;
      } while (next !== undefined && found.length < max);
      const recorded = await Promise.all(found.map(({ message_id }) => course(message_id)));
      return { courses: recorded.flatMap((one) => (one ? [courseOf(one)] : [])), isAll: next === undefined };
    },
    progress: progressReader(client, tables.sequences),
    subscription: (service_id: string, subscription_id: string) =>
      seenSubscription(client, tables.subscriptions, { service_id, subscription_id }, withheld),
    /** The ordering key; undefined when it is not blocked. */
    blocked: (orderingKey: string) => orderingKeyTable(client, tables).key(orderingKey),
  };
}
