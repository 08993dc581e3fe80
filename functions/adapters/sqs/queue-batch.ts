import {
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { chunks } from '../dynamodb/chunks.ts';
import { untilDone } from '../dynamodb/until-done.ts';

/** The maximum number of entries in one call of SQS. */
export const MAX_ENTRIES = 10;

interface Content {
  /** JSON, or a body received from a queue. */
  readonly body: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A record for a FIFO queue. */
interface Grouped extends Content {
  readonly group: string;
  readonly deduplicationId: string;
}

/** A record for a standard queue; 0 to 900 seconds. */
interface Delayed extends Content {
  readonly delaySeconds: number;
}

export type Outgoing = Grouped | Delayed;

/**
 * Sends up to ten records, and retries those that failed on the side of SQS.
 *
 * @returns the positions (in `records`) of those that were still not accepted; empty when all were
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

/**
 * Sends any number of records, ten per call. A call that is refused as a whole is repeated record by record,
 * and does not stop the next ones. Never rejects.
 *
 * @returns the positions of those that were not accepted, and why records were refused
 */
export async function sendAll(
  client: SQSClient,
  queueUrl: string,
  records: readonly Outgoing[],
): Promise<{ readonly untaken: readonly number[]; readonly internalErrors: readonly unknown[] }> {
  const untaken: number[] = [];
  const internalErrors: unknown[] = [];
  for (const batch of chunks([...records.entries()], MAX_ENTRIES)) {
    const { answers, failed } = await isolateFailures(batch, async (some) => {
      const left = await sendBatch(
        client,
        queueUrl,
        some.map(([, record]) => record),
      );
      return some.filter((_, index) => left.includes(index));
    });
    internalErrors.push(...failed.values());
    untaken.push(...[...answers.flat(), ...failed.keys()].map(([position]) => position));
  }
  return { untaken, internalErrors };
}

/**
 * The only characters that JSON may contain unescaped but SQS refuses. Source: SendMessage, Amazon SQS API
 * Reference.
 */
const NONCHARACTERS = /[\uFFFE\uFFFF]/g;
const REFUSED = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Escapes a character for JSON: a reader of the body gets it back. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function entryOf(record: Outgoing, index: number): SendMessageBatchRequestEntry {
  return {
    Id: String(index),
    MessageBody: record.body.replace(NONCHARACTERS, escaped),
    ...('group' in record
      ? { MessageGroupId: record.group, MessageDeduplicationId: record.deduplicationId }
      : { DelaySeconds: record.delaySeconds }),
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
 * Deletes up to ten received records. A failure is no reason to stop: what was not deleted returns and is
 * recognised by the history.
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
