import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { messageIn } from '../../../functions/adapters/dynamodb/history/message-item.ts';
import { resourceIn } from '../../../functions/adapters/dynamodb/history/stored-resource.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { historyTable, isMessageItem, messageIdAt } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { paymentHash } from '../../../functions/core/message/message.ts';
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

const { partitionKey, sortKey } = historyTable;
const resourceSchema = z.object({ event_id: z.string(), body_erased_at: z.string().optional() });

export function personalDataTable(
  client: DynamoDBClient,
  { history: table, sequences }: { readonly history: string; readonly sequences: string },
): PersonalData {
  const held = heldTable(client, sequences);

  return {
    async of(serviceId, paymentId) {
      const payment = { service_id: serviceId, payment_id: paymentId };
      // First: an event that is sent meanwhile is seen there, or its message is.
      const onHold = await held.of(payment);
      const items = await partitionItems(client, table, historyTable, paymentHash(payment));
      const byMessage = Map.groupBy(items, messageIdAt);
      const resources = byMessage.get(undefined) ?? [];
      byMessage.delete(undefined);
      return {
        messages: [...byMessage.values()]
          // An attempt may outlive its message.
          .filter(([first = {}]) => isMessageItem(String(first[sortKey])))
          .map(([record = {}, ...attempts]) => messageOnRecord(asText(record), attempts))
          .sort((one, other) => (String(one.record.admitted_at) < String(other.record.admitted_at) ? -1 : 1)),
        held: onHold,
        resources: resources.map(resourceOnRecord),
      };
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

    async eraseResource({ item }, at) {
      const update = new UpdateItemCommand({
        TableName: table,
        Key: keyOf(item),
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

/** With its resource as text, or why it cannot be read; its key stays. */
function asText(item: Item): Item {
  try {
    return { ...item, ...messageIn(item) };
  } catch (error) {
    return { ...item, ...messageIn({ ...item, resource: undefined }), resource: (error as Error).message };
  }
}

function resourceOnRecord(item: Item): ResourceOnRecord {
  const { event_id, body_erased_at } = resourceSchema.parse(item);
  const erased = body_erased_at === undefined ? {} : { body_erased_at };
  try {
    return { item, event_id, resource: resourceIn(item), ...erased };
  } catch (error) {
    return { item, event_id, resource: (error as Error).message, ...erased };
  }
}

/** It must be as it was read: a worker may have sent it again meanwhile. */
function erasedRecord({ known, record }: MessageOnRecord, at: string): Action {
  const removed = [
    '#resource',
    ...(known.first_attempt === undefined ? [] : ['#first_attempt.#response_body']),
  ];
  return {
    Update: {
      Key: keyOf(record),
      UpdateExpression: `SET #body_erased_at = if_not_exists(#body_erased_at, :at) REMOVE ${removed.join(', ')}`,
      ConditionExpression: '#state = :state AND #ended_at = :ended_at AND #attempt_count = :attempt_count',
      ExpressionAttributeNames: {
        '#body_erased_at': 'body_erased_at',
        '#resource': 'resource',
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
      ConditionExpression: 'attribute_exists(#payment)',
      ExpressionAttributeNames: { '#response_body': 'response_body', '#payment': partitionKey },
    },
  };
}

function keyOf(item: Readonly<Item>) {
  return marshall({ [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] });
}
