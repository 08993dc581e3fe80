import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, type DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { positionOf } from '../../../core/sequence/order-number.ts';
import { type PaymentName, paymentKey } from '../../../core/sequence/payment-sequence.ts';
import type { StuckChange, StuckEvent, StuckStore } from '../../../core/stuck/ports.ts';
import { type Item, marshalled } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { FORMAT_VERSION, read } from '../readable.ts';
import { orderingKeysTable, sequencesTable, subscriptionsTable } from '../table-keys.ts';
import { transact } from '../transaction.ts';

const stuckEventSchema = z.object({
  service_id: z.string(),
  payment_id: z.string(),
  record_id: z.string(),
  group: z.string(),
  body: z.string(),
  order_number: z.string(),
  admitted_at_ms: z.int(),
});

/** All of a payment that waits for an operator, and of its events all but what they say. */
export const SEEN_OF_STUCK: readonly string[] = [
  ...[sequencesTable.partitionKey, sequencesTable.sortKey, FORMAT_VERSION],
  ...Object.keys(stuckEventSchema.shape).filter((name) => name !== 'body'),
  ...['since', 'explanation'],
];

interface Options {
  readonly sequences: string;
  readonly subscriptions: string;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Stores the events of stuck payments, and which payments of a service are stuck: together, so that no event
 * is set aside for a payment that has been released, nor a released one leaves an event behind. They have no
 * time to live.
 */
export function stuckTable(
  client: DynamoDBClient,
  { sequences, subscriptions, onInternalError }: Options,
): StuckStore {
  async function written(payment: PaymentName, change: StuckChange, writes: readonly TransactWriteItem[]) {
    const TransactItems = [changed(subscriptions, payment, change), ...writes];
    return (await transact(client, { ClientRequestToken: randomUUID(), TransactItems })) === 'written';
  }
  const put = (item: Item) => ({ Put: { TableName: sequences, Item: marshalled(item) } });

  return {
    setAside: (payment, event, change, stuck) =>
      written(payment, change, [
        ...(stuck === undefined
          ? []
          : [put({ ...stuck, ...stuckAddress(payment), stuck: orderingKeysTable.isStuck })]),
        ...(event === undefined ? [] : [put({ ...event, ...addressOf(event) })]),
      ]),

    async stuckEvents(payment, max) {
      const pages = queryPages(client, {
        TableName: sequences,
        KeyConditionExpression: '#payment = :payment AND begins_with(#item, :prefix)',
        ExpressionAttributeNames: {
          '#payment': sequencesTable.partitionKey,
          '#item': sequencesTable.sortKey,
        },
        ExpressionAttributeValues: marshalled({
          ':payment': paymentKey(payment),
          ':prefix': sequencesTable.stuckPrefix,
        }),
        ConsistentRead: true,
        Limit: max,
      });
      const events: StuckEvent[] = [];
      for await (const items of pages) {
        for (const item of items) {
          const event = read(item, stuckEventSchema, sequencesTable.sortKey);
          if (event instanceof Error) {
            throw event;
          }
          events.push(event);
        }
        if (events.length >= max) {
          break;
        }
      }
      // A page of large events has fewer than asked for, so the next one may bring too many.
      return events.slice(0, max);
    },

    async dropStuck(events) {
      const drops = events.map((event) =>
        client.send(new DeleteItemCommand({ TableName: sequences, Key: marshalled(addressOf(event)) })),
      );
      for (const outcome of await Promise.allSettled(drops)) {
        if (outcome.status === 'rejected') {
          onInternalError(outcome.reason);
        }
      }
    },

    free: (payment, change) =>
      written(payment, change, [
        { Delete: { TableName: sequences, Key: marshalled(stuckAddress(payment)) } },
      ]),
  };
}

/** Replaces the stuck payments of a service that exists, on condition that they are as known. */
function changed(
  table: string,
  { service_id }: PaymentName,
  { known, next }: StuckChange,
): TransactWriteItem {
  const { partitionKey, sortKey, routesItem } = subscriptionsTable;
  return {
    Update: {
      TableName: table,
      Key: marshalled({ [partitionKey]: service_id, [sortKey]: routesItem }),
      UpdateExpression: 'SET #stuck_payments = :next',
      ...(known.revision === 0
        ? {
            ConditionExpression: 'attribute_exists(#version) AND attribute_not_exists(#stuck_payments)',
            ExpressionAttributeNames: { '#stuck_payments': 'stuck_payments', '#version': 'version' },
            ExpressionAttributeValues: marshalled({ ':next': next }),
          }
        : {
            ConditionExpression: '#stuck_payments = :known',
            ExpressionAttributeNames: { '#stuck_payments': 'stuck_payments' },
            ExpressionAttributeValues: marshalled({ ':next': next, ':known': known }),
          }),
    },
  };
}

export function stuckAddress(payment: PaymentName): Item {
  return {
    [sequencesTable.partitionKey]: paymentKey(payment),
    [sequencesTable.sortKey]: sequencesTable.stuckItem,
  };
}

/** Sorts by the order of the queue. */
function addressOf(event: StuckEvent): Item {
  return {
    [sequencesTable.partitionKey]: paymentKey(event),
    [sequencesTable.sortKey]: `${sequencesTable.stuckPrefix}${positionOf(event)}#${event.record_id}`,
  };
}
