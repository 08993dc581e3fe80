import type { SQSClient } from '@aws-sdk/client-sqs';
import { chunks } from './chunks.ts';
import { MOST_ENTRIES, sendBatch } from './queue-batch.ts';

/** A record that cannot be used, and why. */
export interface DeadLetter {
  readonly recordId: string;
  readonly group: string;
  readonly body: string;
  readonly reason: string;
  /** One sentence for each fault. */
  readonly explanation: string;
}

/** SQS refuses attribute values that are longer than the message may be; nobody reads on after this. */
const LONGEST_EXPLANATION = 1_000;

/**
 * Puts records aside as they were, with `Reason` and `Explanation` as message attributes. The record's own id is the deduplication id: a
 * record that comes again is not buried twice.
 *
 * @returns the ids of the records that could not be put aside
 */
export function deadLetters(client: SQSClient, queueUrl: string) {
  return async (letters: readonly DeadLetter[]): Promise<ReadonlySet<string>> => {
    const left = new Set<string>();
    for (const chunk of chunks(letters, MOST_ENTRIES)) {
      const failed = await sendBatch(
        client,
        queueUrl,
        chunk.map(({ recordId, group, body, reason, explanation }) => ({
          body,
          group,
          deduplicationId: recordId,
          attributes: { Reason: reason, Explanation: explanation.slice(0, LONGEST_EXPLANATION) },
        })),
      );
      for (const index of failed) {
        left.add((chunk[index] as DeadLetter).recordId);
      }
    }
    return left;
  };
}
