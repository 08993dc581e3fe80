import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/partition-items.ts';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { batchGet } from '../../../functions/adapters/dynamodb/table-batch.ts';
import { eventPartition, historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { resourceKey } from '../../../functions/core/message/message.ts';
import { heldTable } from './held-on-record.ts';
import {
  type MessageOnRecord,
  messageOnRecord,
  type PersonalData,
  type ResourceOnRecord,
} from './personal-data-on-record.ts';
import { type Action, written } from './written.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference; one of them is the message. */
const MAX_ATTEMPTS = 99;
/** Messages that are read at the same time. */
const AT_ONCE = 10;

const { partitionKey, sortKey, messageItem, resourceItem } = historyTable;
const indexedSchema = z.object({ message_id: z.string() });
const resourceSchema = z.object({ resource: z.string(), body_erased_at: z.string().optional() });

export function personalDataTable(
  client: DynamoDBClient,
  { history: table, sequences }: { readonly history: string; readonly sequences: string },
): PersonalData {
  const held = heldTable(client, sequences);

  async function messageOf(messageId: string): Promise<MessageOnRecord | undefined> {
    const items = await partitionItems(client, table, historyTable, messageId);
    const record = items.find((item) => item[sortKey] === messageItem);
    // It may have gone by itself between the two looks.
    return (
      record &&
      messageOnRecord(
        record,
        items.filter((item) => item !== record),
      )
    );
  }

  async function messagesOf(serviceId: string, paymentId: string): Promise<MessageOnRecord[]> {
    const ids: string[] = [];
    const pages = queryPages(client, {
      TableName: table,
      IndexName: historyTable.byPayment,
      KeyConditionExpression: '#payment_id = :payment_id',
      // Payment ids are unique to a publisher's service, not beyond.
      FilterExpression: '#service_id = :service_id',
      ExpressionAttributeNames: { '#payment_id': 'payment_id', '#service_id': 'service_id' },
      ExpressionAttributeValues: marshall({ ':payment_id': paymentId, ':service_id': serviceId }),
    });
    for await (const page of pages) {
      ids.push(...page.map((item) => indexedSchema.parse(item).message_id));
    }
    const messages: MessageOnRecord[] = [];
    for (const some of chunks(ids, AT_ONCE)) {
      const found = await Promise.all(some.map(messageOf));
      messages.push(...found.filter((message) => message !== undefined));
    }
    return messages;
  }

  async function resourcesOf(serviceId: string, all: readonly EventName[]) {
    const events = new Map(all.map((event) => [partitionOf(serviceId, event), event]));
    const keys = [...events.keys()].map((key) => ({ [partitionKey]: key, [sortKey]: resourceItem }));
    const items = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
    return items.map((item): ResourceOnRecord => {
      const { resource, body_erased_at } = resourceSchema.parse(item);
      const { event_id = '', resource_key } = events.get(String(item[partitionKey])) ?? {};
      return {
        event_id,
        ...(resource_key === undefined ? {} : { resource_key }),
        resource,
        ...(body_erased_at === undefined ? {} : { body_erased_at }),
      };
    });
  }

  return {
    async of(serviceId, paymentId) {
      // First: an event that goes on meanwhile is seen there, or its message is.
      const onHold = await held.of({ service_id: serviceId, payment_id: paymentId });
      const messages = await messagesOf(serviceId, paymentId);
      const all = [...messages, ...onHold.waiting, ...onHold.left].map(({ known }) => known);
      return { messages, held: onHold, resources: all.length === 0 ? [] : await resourcesOf(serviceId, all) };
    },

    eraseLeft: held.eraseLeft,

    async eraseMessage(message, at) {
      const answered = message.laterAttempts.filter((attempt) => 'response_body' in attempt);
      const [first = [], ...others] = chunks(answered, MAX_ATTEMPTS);
      const steps = [
        [erasedRecord(message, at), ...first.map(withoutAnswer)],
        ...others.map((some) => [isErased(message), ...some.map(withoutAnswer)]),
      ];
      for (const step of steps) {
        if (!(await written(client, table, step))) {
          return false;
        }
      }
      return true;
    },

    async eraseResource(serviceId, resource, at) {
      const update = new UpdateItemCommand({
        TableName: table,
        Key: marshall({ [partitionKey]: partitionOf(serviceId, resource), [sortKey]: resourceItem }),
        UpdateExpression: 'SET #resource = :nothing, #body_erased_at = :at',
        // It may have gone by itself, and must not come back to stay.
        ConditionExpression: 'attribute_exists(#resource)',
        ExpressionAttributeNames: { '#resource': 'resource', '#body_erased_at': 'body_erased_at' },
        ExpressionAttributeValues: marshall({ ':nothing': '', ':at': at }),
      });
      try {
        await client.send(update);
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw error;
        }
      }
    },
  };
}

type EventName = Pick<ResourceOnRecord, 'event_id'> & { readonly resource_key?: string | undefined };

/** It must be as it was read: a worker may have sent it again meanwhile. */
function erasedRecord({ known, record }: MessageOnRecord, at: string): Action {
  const removed = ['#body', ...(known.first_attempt === undefined ? [] : ['#first_attempt.#response_body'])];
  return {
    Update: {
      Key: keyOf(record),
      UpdateExpression: `SET #body_erased_at = if_not_exists(#body_erased_at, :at) REMOVE ${removed.join(', ')}`,
      ConditionExpression: '#state = :state AND #ended_at = :ended_at AND #attempt_count = :attempt_count',
      ExpressionAttributeNames: {
        '#body_erased_at': 'body_erased_at',
        '#body': 'body',
        '#state': 'state',
        '#ended_at': 'ended_at',
        '#attempt_count': 'attempt_count',
        ...(known.first_attempt === undefined
          ? {}
          : { '#first_attempt': 'first_attempt', '#response_body': 'response_body' }),
      },
      ExpressionAttributeValues: marshall({
        ':at': at,
        ':state': known.state,
        ':ended_at': known.ended_at ?? '',
        ':attempt_count': known.attempt_count,
      }),
    },
  };
}

function isErased({ record }: MessageOnRecord): Action {
  return {
    ConditionCheck: {
      Key: keyOf(record),
      ConditionExpression: 'attribute_exists(#body_erased_at)',
      ExpressionAttributeNames: { '#body_erased_at': 'body_erased_at' },
    },
  };
}

function withoutAnswer(attempt: Readonly<Item>): Action {
  return {
    Update: {
      Key: keyOf(attempt),
      UpdateExpression: 'REMOVE #response_body',
      // It may have gone by itself, and must not come back empty.
      ConditionExpression: 'attribute_exists(#message_id)',
      ExpressionAttributeNames: { '#response_body': 'response_body', '#message_id': partitionKey },
    },
  };
}

function keyOf(item: Readonly<Item>) {
  return marshall({ [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] });
}

function partitionOf(service_id: string, { event_id, resource_key }: EventName): string {
  return eventPartition(resourceKey({ service_id, event_id, resource_key }));
}
