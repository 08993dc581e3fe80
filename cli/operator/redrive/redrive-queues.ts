import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { MAX_ENTRIES, type Outgoing, sendBatch } from '../../../functions/adapters/sqs/queue-batch.ts';
import { inSendingOrder } from '../../../functions/core/ordering/sending-order.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { RedrivePorts } from './dead-letter.ts';
import { type DeadLetter, ORIGINAL, PUT_BACK_AT, type Received } from './dead-letter.ts';
import { MAX_BYTES } from './plan.ts';

/** Longer than a run with ten thousand dead letters takes. */
const HIDDEN_SECONDS = 600;
/** With long polling SQS asks all its servers. */
const WAIT_SECONDS = 1;

/** Sorts what this run unfolds behind what an earlier run unfolded. */
const RUN = instant(Date.now());

/** About how many records a queue has, hidden ones included. */
export async function recordsIn(client: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, number) => sum + Number(number), 0);
}

interface Urls {
  readonly deadLetters: string;
  readonly target: string;
}

export function redriveQueues(client: SQSClient, urls: Urls): RedrivePorts {
  const QueueUrl = urls.deadLetters;

  async function remove(deadLetters: readonly DeadLetter[]): Promise<readonly DeadLetter[]> {
    const left: DeadLetter[] = [];
    for (const batch of chunks(deadLetters, MAX_ENTRIES)) {
      const Entries = entriesOf(batch.map(({ received }) => received));
      const { Failed = [] } = await client
        .send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
        .catch(() => ({ Failed: Entries }));
      left.push(
        ...Failed.map(({ Id }) => batch[Number(Id)]).filter((deadLetter) => deadLetter !== undefined),
      );
    }
    return left;
  }

  return {
    remove,

    async receive() {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: MAX_ENTRIES,
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ['SentTimestamp', 'MessageGroupId'],
          MessageAttributeNames: ['All'],
        }),
      );
      return Messages.map(receivedOf);
    },

    count: () => recordsIn(client, QueueUrl),

    async send(deadLetters) {
      try {
        const untaken = new Set(await sendBatch(client, urls.target, deadLetters.map(outgoing)));
        return { taken: deadLetters.filter((_, index) => !untaken.has(index)) };
      } catch (internalError) {
        return { taken: [], internalError };
      }
    },

    async giveBack(received) {
      for (const batch of chunks(received, MAX_ENTRIES)) {
        const Entries = entriesOf(batch).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })).catch(() => {});
      }
    },

    async takeApart(deadLetters) {
      // Positions first: a batch may hold a later one.
      const all = deadLetters.map((deadLetter) => ({ deadLetter, record: unfolded(deadLetter) }));
      const inBatches = inSendingOrder(all, {
        keyOf: ({ deadLetter }) => deadLetter.received.recordId,
        bytesOf: ({ record }) => Buffer.byteLength(JSON.stringify(record)),
        maxBytes: MAX_BYTES,
      });
      for (const batch of inBatches) {
        const untaken = new Set(
          await sendBatch(
            client,
            QueueUrl,
            batch.map(({ record }) => record),
          ),
        );
        await remove(batch.filter((_, index) => !untaken.has(index)).map(({ deadLetter }) => deadLetter));
        if (untaken.size > 0) {
          throw new Error(`SQS did not take ${untaken.size} dead letters that were to be unfolded`);
        }
      }
    },

    now: Date.now,
  };
}

function receivedOf({
  MessageId,
  ReceiptHandle,
  Body,
  Attributes = {},
  MessageAttributes = {},
}: Message): Received {
  const { MessageGroupId: group, SentTimestamp } = Attributes;
  const attributes: Record<string, string> = Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
  );
  return {
    recordId: MessageId ?? '',
    receipt: ReceiptHandle ?? '',
    body: Body ?? '',
    ...(group === undefined ? {} : { group }),
    sentAtMs: Number(attributes[ORIGINAL.sentAt] ?? SentTimestamp),
    attributes,
  };
}

/**
 * The record as it was, without our attributes, with a new deduplication id: SQS would drop it as its own
 * duplicate.
 */
function outgoing({ goes: { body, group } }: DeadLetter): Outgoing {
  const content = { body, attributes: { [PUT_BACK_AT]: instant(Date.now()) } };
  return group === undefined
    ? { ...content, delaySeconds: 0 }
    : { ...content, group, deduplicationId: randomUUID() };
}

let takenApart = 0;

/** Its own id as deduplication id keeps it from being there twice when this is interrupted. */
function unfolded({ received, position }: DeadLetter): Outgoing {
  takenApart += 1;
  return {
    body: received.body,
    attributes: {
      ...received.attributes,
      [ORIGINAL.group]: received.group ?? '',
      [ORIGINAL.position]: position ?? `${RUN} ${String(takenApart).padStart(8, '0')}`,
      [ORIGINAL.sentAt]: String(received.sentAtMs),
    },
    group: `apart-${received.recordId}`,
    deduplicationId: received.recordId,
  };
}

function entriesOf(received: readonly Received[]): { Id: string; ReceiptHandle: string }[] {
  return received.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
}
