import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { read } from '../../../functions/adapters/dynamodb/readable.ts';
import { SEEN_OF_STUCK, stuckAddress } from '../../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import { sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { type PaymentName, paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import type { StuckEvent, StuckPayment } from '../../../functions/core/stuck/ports.ts';
import { stuckItems } from './stuck-items.ts';

const stuckPaymentSchema = z.object({
  service_id: z.string(),
  payment_id: z.string(),
  since: z.string(),
  group: z.string(),
  explanation: z.string(),
});

/** An event that waits, without what it says: the person on call may read no more. */
export type SeenEvent = Omit<StuckEvent, 'body'>;

const seenEventSchema = z.object({
  service_id: z.string(),
  payment_id: z.string(),
  record_id: z.string(),
  group: z.string(),
  order_number: z.string(),
  admitted_at_ms: z.int(),
});

export type StuckEventTable = ReturnType<typeof stuckEventTable>;

/** Payments whose events match has set aside. */
export function stuckEventTable(client: DynamoDBClient, tables: { sequences: string }) {
  const seen = {
    ProjectionExpression: SEEN_OF_STUCK.map((_, index) => `#a${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(SEEN_OF_STUCK.map((name, index) => [`#a${index}`, name])),
  };
  const [payment, item] = [sequencesTable.partitionKey, sequencesTable.sortKey].map(
    (name) => `#a${SEEN_OF_STUCK.indexOf(name)}`,
  );
  return {
    /** The oldest first; may lag by a second. */
    payments: (max: number, onUnreadable: (internalError: Error) => void): Promise<StuckPayment[]> =>
      stuckItems(client, {
        table: tables.sequences,
        keys: sequencesTable,
        schema: stuckPaymentSchema,
        max,
        onUnreadable,
      }),

    /**
     * By service and payment, joined by a dot; undefined when it is not stuck. @throws when it cannot be read
     */
    async payment(name: string): Promise<StuckPayment | undefined> {
      const [service_id = '', payment_id = ''] = name.split('.');
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: tables.sequences,
          Key: marshall(stuckAddress({ service_id, payment_id })),
          ConsistentRead: true,
          ...seen,
        }),
      );
      return Item && legible(read(unmarshall(Item), stuckPaymentSchema, sequencesTable.partitionKey));
    },

    /** The first events of a payment, in the order of the queue. @throws when one cannot be read */
    async events(name: PaymentName, max: number): Promise<readonly SeenEvent[]> {
      const pages = queryPages(client, {
        TableName: tables.sequences,
        KeyConditionExpression: `${payment} = :payment AND begins_with(${item}, :prefix)`,
        ExpressionAttributeValues: marshall({
          ':payment': paymentKey(name),
          ':prefix': sequencesTable.stuckPrefix,
        }),
        ConsistentRead: true,
        Limit: max,
        ...seen,
      });
      const events: SeenEvent[] = [];
      for await (const items of pages) {
        events.push(...items.map((one) => legible(read(one, seenEventSchema, sequencesTable.sortKey))));
        if (events.length >= max) {
          break;
        }
      }
      // A page of large events has fewer than asked for, so the next one may bring too many.
      return events.slice(0, max);
    },
  };
}

function legible<Value>(value: Value | Error): Value {
  if (value instanceof Error) {
    throw value;
  }
  return value;
}
