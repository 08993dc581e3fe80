import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { AUDIT_DAYS, type AuditEntry, type AuditTrail, positionIn } from '../../../core/api/audit-trail.ts';
import { type ChangePosition, changeViewSchema } from '../../../core/api/change.ts';
import { auditTable } from '../table-keys.ts';

const entrySchema = z.extend(changeViewSchema, { service_id: z.string() });

/** How many changes are examined for those of one subscription: a few hundred kilobytes. */
const MAX_EXAMINED = 1_000;

export function auditTrailTable(client: DynamoDBClient, table: string): AuditTrail {
  return {
    async keep(entry) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshall(itemOf(entry), { removeUndefinedValues: true }),
            // Entries are never overwritten.
            ConditionExpression: 'attribute_not_exists(#change_id)',
            ExpressionAttributeNames: { '#change_id': auditTable.sortKey },
          }),
        );
      } catch (error) {
        // The SDK repeats a call whose response was lost.
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw error;
        }
      }
    },

    async page(serviceId, { limit, after, subscriptionId }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: '#service_id = :service_id',
          ...(subscriptionId === undefined
            ? {}
            : { FilterExpression: '#subscription_id = :subscription_id' }),
          ExpressionAttributeNames: {
            '#service_id': auditTable.partitionKey,
            ...(subscriptionId === undefined ? {} : { '#subscription_id': 'subscription_id' }),
          },
          ExpressionAttributeValues: marshall(
            { ':service_id': serviceId, ':subscription_id': subscriptionId },
            { removeUndefinedValues: true },
          ),
          ScanIndexForward: false,
          ConsistentRead: true,
          // Reads one more than wanted to see whether there are more: DynamoDB also returns a last key at the
          // very end.
          Limit: subscriptionId === undefined ? limit + 1 : MAX_EXAMINED,
          ...(after === undefined ? {} : { ExclusiveStartKey: keyOf(serviceId, after) }),
        }),
      );
      const changes = Items.slice(0, limit).map((item) => entrySchema.parse(unmarshall(item)));
      const next = Items.length > limit ? changes.at(-1) : LastEvaluatedKey && positionOf(LastEvaluatedKey);
      return { changes, ...(next === undefined ? {} : { next }) };
    },
  };
}

function keyOf(serviceId: string, position: ChangePosition): Record<string, AttributeValue> {
  return marshall({ [auditTable.partitionKey]: serviceId, [auditTable.sortKey]: positionIn(position) });
}

function positionOf(key: Record<string, AttributeValue>): ChangePosition {
  const [at = '', ...rest] = String(unmarshall(key)[auditTable.sortKey]).split('#');
  return { at, request_id: rest.join('#') };
}

function itemOf(entry: AuditEntry) {
  return {
    ...entry,
    [auditTable.sortKey]: positionIn(entry),
    [auditTable.timeToLive]: Math.floor(Date.parse(entry.at) / 1_000) + AUDIT_DAYS * 86_400,
  };
}
