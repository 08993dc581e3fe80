import { readFileSync } from 'node:fs';
import path from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { messageIn, readMessage } from '../../../../functions/adapters/dynamodb/history/message-item.ts';
import { read } from '../../../../functions/adapters/dynamodb/readable.ts';
import { routingItemSchema } from '../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { attemptSchema } from '../../../../functions/core/attempt/attempt.ts';
import { type MessageRecord, messageRecordSchema } from '../../../../functions/core/message/history.ts';
import { webhookBody } from '../../../../functions/core/message/message.ts';
import {
  blockedKeySchema,
  queuedMessageSchema,
} from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import { timerSchema } from '../../../../functions/core/signal/timer.ts';
import { subscriptionSchema } from '../../../../functions/core/subscription/subscription.ts';
import { readDeliveries } from '../../../../functions/pipeline/deliver/deliver.ts';
import { readTimers } from '../../../../functions/pipeline/wake/wake.ts';
import { readTransitions } from '../../../../functions/streams/statistics/read-transitions.ts';
import { sqsRecord } from '../../pipeline/deliver/sqs-record.ts';

type Frozen = Record<string, Record<string, unknown>>;

/**
 * Records as 0.2 writes them to queues and tables: once it is released, these files are only added to, never
 * edited.
 */
function frozen(file: string): Frozen {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../support/formats', file), 'utf8'));
}

describe('what version 1 wrote to deliveries.fifo', () => {
  test.each(Object.entries(frozen('travelling-v1.json')))('is still read: a %s', (_, body) => {
    const { incoming, unreadable, deferred } = readDeliveries([sqsRecord(body)]);
    expect({ unreadable, deferred }).toEqual({ unreadable: [], deferred: [] });
    expect(incoming).toEqual([
      expect.objectContaining('signal_kind' in body ? { signal: body } : { message: body }),
    ]);
  });
});

describe('what version 1 wrote to retry-timers', () => {
  test.each(Object.entries(frozen('timers-v1.json')))('is still read: a %s', (_, body) => {
    const { fired, unreadable } = readTimers([{ messageId: 'a', body: JSON.stringify(body) }]);
    expect(unreadable).toEqual([]);
    expect(fired).toEqual([{ recordId: 'a', timer: body }]);
  });
});

const SCHEMAS: Record<string, z.ZodMiniType<unknown>> = {
  message: messageRecordSchema,
  attempt: attemptSchema,
  'waiting ordering key': blockedKeySchema,
  'ordering key in a backlog': blockedKeySchema,
  'ordering key that waits for an operator': blockedKeySchema,
  'queued message': queuedMessageSchema,
  subscription: subscriptionSchema,
  routes: routingItemSchema,
};

/** JSON has no bytes. */
function binary(item: Record<string, unknown>) {
  return { ...item, resource: Buffer.from(String(item.resource), 'base64') };
}

function readItem(name: string, item: Record<string, unknown>): unknown {
  const schema = SCHEMAS[name] as z.ZodMiniType<unknown>;
  return name === 'message' ? readMessage(binary(item), schema) : read(item, schema, 'item');
}

describe('what version 1 wrote to a table', () => {
  const items = Object.entries(frozen('items-v1.json'));

  test.each(items)('is still read: a %s', (name, item) => {
    const value = readItem(name, item);
    // Every field comes from the item. Other attributes of the item serve indexes or expiry and are not read.
    expect(name === 'message' ? messageIn(binary(item)) : item).toMatchObject(value as object);
  });

  test.each(items)('is not misread when a newer version wrote it: a %s', (name, item) => {
    const newer = { ...item, format_version: 2 };
    expect((readItem(name, newer) as Error).message).toMatch(
      /: is of format version 2, and only 1 is known here$/,
    );
  });
});

test.each(['waiting ordering key', 'ordering key in a backlog'])(
  'the timer of version 1 in a %s is still read',
  (name) => {
    const { timer } = frozen('items-v1.json')[name] ?? {};
    expect(timerSchema.parse(timer)).toEqual(timer);
  },
);

test('statistics count changes in images of version 1, and skip newer ones', () => {
  const { message } = frozen('items-v1.json');
  const change = (image: object) =>
    ({
      dynamodb: { SequenceNumber: '36', Keys: { item: { S: 'message#evt1' } }, NewImage: marshall(image) },
    }) as unknown as DynamoDBRecord;
  const { transitions } = readTransitions([change(message as object)]);
  expect(transitions).toEqual([
    {
      before: undefined,
      after: expect.objectContaining({
        state: 'exhausted',
        attempt_count: 2,
        last_failure_class: 'http_status',
      }),
      position: '210',
    },
  ]);
  expect(readTransitions([change({ ...message, format_version: 2 })])).toMatchObject({
    transitions: [],
    internalErrors: [
      new Error(
        'message_id msg_1pppppppppppppppppppevt1mmmmmmmmmmmmmmmm: is of format version 2, and only 1 is known here',
      ),
    ],
  });
});

test('the body of a message on record is the same in every version', () => {
  const { message = {} } = frozen('items-v1.json');
  const record = readItem('message', message) as MessageRecord;
  expect(webhookBody(record, record.resource ?? '')).toBe(
    '{"webhook_message_id":"msg_1pppppppppppppppppppevt1mmmmmmmmmmmmmmmm","api_version":1,"created_date":"2026-04-24T03:06:39.900Z",' +
      '"resource_id":"re-1","resource_type":"refund","event_type":"card_payment_captured","payment_id":"pay-1","sequence":3,' +
      '"position":2,"previous_message_id":"msg_0","resource":{"amount":1000,"état":"☂"}}',
  );
});
