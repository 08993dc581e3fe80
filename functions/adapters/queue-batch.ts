import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { untilDone } from './until-done.ts';

/** SQS takes at most so many entries in one call. */
export const MOST_ENTRIES = 10;

/** A record to be put on a FIFO queue. */
export interface Outgoing {
  /** JSON, or what came from a queue. */
  readonly body: string;
  readonly group: string;
  readonly deduplicationId: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Sends up to ten records, trying again those that SQS did not take for a reason of its own.
 *
 * @returns the positions (in `records`) of those that it still did not take; empty when all went
 */
export async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  records: readonly Outgoing[],
): Promise<number[]> {
  const left = await untilDone(records.map(entryOf), async (Entries) => {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    const failed = new Set(Failed.map(({ Id }) => Id));
    return failed.size === 0 ? undefined : Entries.filter(({ Id }) => failed.has(Id));
  });
  return (left ?? []).map(({ Id }) => Number(Id));
}

/** The only characters that JSON may hold unescaped and SQS does not take. Source: SendMessage, Amazon SQS API Reference. */
const NONCHARACTERS = /[\uFFFE\uFFFF]/g;
const REFUSED = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** As JSON escapes it: a reader of the body gets the character back. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function entryOf(record: Outgoing, index: number): SendMessageBatchRequestEntry {
  return {
    Id: String(index),
    MessageBody: record.body.replace(NONCHARACTERS, escaped),
    MessageGroupId: record.group,
    MessageDeduplicationId: record.deduplicationId,
    ...(record.attributes === undefined
      ? {}
      : {
          MessageAttributes: Object.fromEntries(
            Object.entries(record.attributes).map(([name, value]) => [
              name,
              { DataType: 'String', StringValue: value.toWellFormed().replace(REFUSED, '\uFFFD') },
            ]),
          ),
        }),
  };
}

/**
 * Deletes up to ten received records. What could not be deleted comes again and is recognised by the history, so a failure is no reason to
 * stop.
 */
export async function deleteBatch(
  client: SQSClient,
  queueUrl: string,
  receipts: readonly string[],
): Promise<void> {
  if (receipts.length > 0) {
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
  }
}

/** Has up to ten received records come again after so many seconds. */
export async function returnBatch(
  client: SQSClient,
  queueUrl: string,
  receipts: readonly string[],
  afterSeconds: number,
): Promise<void> {
  if (receipts.length > 0) {
    await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queueUrl,
        Entries: receipts.map((ReceiptHandle, index) => ({
          Id: String(index),
          ReceiptHandle,
          VisibilityTimeout: afterSeconds,
        })),
      }),
    );
  }
}
