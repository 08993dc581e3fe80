import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { read } from '../../../functions/adapters/dynamodb/readable.ts';
import { stuckAddress, stuckTable } from '../../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import { sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { StuckPayment } from '../../../functions/core/stuck/ports.ts';
import { stuckItems } from './stuck-items.ts';

const stuckPaymentSchema = z.object({
  service_id: z.string(),
  payment_id: z.string(),
  since: z.string(),
  group: z.string(),
  explanation: z.string(),
});

export type StuckEventTable = ReturnType<typeof stuckEventTable>;

/** Payments whose events match has set aside. */
export function stuckEventTable(
  client: DynamoDBClient,
  tables: { sequences: string; subscriptions: string },
) {
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
        }),
      );
      const found = Item && read(unmarshall(Item), stuckPaymentSchema, sequencesTable.partitionKey);
      if (found instanceof Error) {
        throw found;
      }
      return found;
    },

    events: stuckTable(client, { ...tables, onInternalError: () => {} }).stuckEvents,
  };
}
