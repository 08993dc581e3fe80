import type { SQSClient } from '@aws-sdk/client-sqs';
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

/** Nobody reads on after this. */
const LONGEST_EXPLANATION = 1_000;

/** SQS takes 1 MiB in one call, attributes included. */
const MOST_BYTES = 1_000_000;

/**
 * Puts records aside as they were, with `Reason` and `Explanation` as message attributes. The record's own id is the deduplication id: one that
 * comes again within five minutes is not buried twice.
 *
 * @returns the ids of the records that could not be put aside; never rejects, since they alone have to come again
 */
export function deadLetters(client: SQSClient, queueUrl: string, onFault: (error: unknown) => void) {
  return async (letters: readonly DeadLetter[]): Promise<ReadonlySet<string>> => {
    const left = new Set<string>();
    for (const batch of inBatches(letters)) {
      const failed = await sendBatch(client, queueUrl, batch.map(recordOf)).catch((error) => {
        onFault(error);
        return batch.keys();
      });
      for (const index of failed) {
        left.add((batch[index] as DeadLetter).recordId);
      }
    }
    return left;
  };
}

function recordOf({ recordId, group, body, reason, explanation }: DeadLetter) {
  return {
    body,
    group,
    deduplicationId: recordId,
    attributes: { Reason: reason, Explanation: explanation.slice(0, LONGEST_EXPLANATION) },
  };
}

/** As many in a batch as SQS takes, by number and by size. */
function inBatches(letters: readonly DeadLetter[]): DeadLetter[][] {
  const batches: DeadLetter[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    const size = Buffer.byteLength(letter.body) + 5 * LONGEST_EXPLANATION;
    const last = batches.at(-1);
    if (last === undefined || last.length === MOST_ENTRIES || bytes + size > MOST_BYTES) {
      batches.push([letter]);
      bytes = size;
    } else {
      last.push(letter);
      bytes += size;
    }
  }
  return batches;
}
