import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { AUDIT_DAYS, positionIn } from '../../../core/api/audit-trail.ts';
import type { OperatorsEntry, OperatorsTrail } from '../../../core/api/operators-trail.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { auditTable, OPERATORS } from '../table-keys.ts';
import { auditTrailTable } from './audit-table.ts';

const details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const entrySchema = z.object({
  at: z.string(),
  request_id: z.string(),
  who: z.string(),
  command: z.string(),
  arguments: details,
  outcome: z.optional(details),
});

export function operatorsTrailTable(client: DynamoDBClient, table: string): OperatorsTrail {
  const changes = auditTrailTable(client, table);
  return {
    async begin(entry) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshall(
              {
                ...entry,
                ...keyOf(entry),
                [auditTable.timeToLive]: Math.floor(Date.parse(entry.at) / 1_000) + AUDIT_DAYS * 86_400,
              },
              { removeUndefinedValues: true },
            ),
            ConditionExpression: 'attribute_not_exists(#change_id)',
            ExpressionAttributeNames: { '#change_id': auditTable.sortKey },
          }),
        );
      } catch (error) {
        // The SDK repeated a call whose response was lost.
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw error;
        }
      }
    },

    async finish(entry, outcome, seen) {
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: marshall(keyOf(entry)),
          UpdateExpression: 'SET #outcome = :outcome',
          ConditionExpression: 'attribute_exists(#change_id)',
          ExpressionAttributeNames: { '#outcome': 'outcome', '#change_id': auditTable.sortKey },
          ExpressionAttributeValues: marshall({ ':outcome': outcome }),
        }),
      );
      for (const change of seen) {
        await changes.keep(change);
      }
    },

    async newest(max) {
      const entries: OperatorsEntry[] = [];
      const pages = queryPages(client, {
        TableName: table,
        KeyConditionExpression: '#service_id = :operators',
        ExpressionAttributeNames: { '#service_id': auditTable.partitionKey },
        ExpressionAttributeValues: marshall({ ':operators': OPERATORS }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: max,
      });
      for await (const items of pages) {
        entries.push(...readable(items, entrySchema, auditTable.sortKey, () => {}));
        if (entries.length >= max) {
          break;
        }
      }
      return entries.slice(0, max);
    },
  };
}

function keyOf(entry: OperatorsEntry) {
  return { [auditTable.partitionKey]: OPERATORS, [auditTable.sortKey]: positionIn(entry) };
}
