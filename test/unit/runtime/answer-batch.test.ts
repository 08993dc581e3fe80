import type { SQSRecord } from 'aws-lambda';
import type { Delay } from '../../../functions/adapters/sqs/redelivery-queue.ts';
import { answerBatch } from '../../../functions/runtime/answer-batch.ts';

function record(messageId: string, group: string | undefined, receiveCount = 1): SQSRecord {
  const attributes = { MessageGroupId: group, ApproximateReceiveCount: String(receiveCount) };
  return { messageId, receiptHandle: `receipt of ${messageId}`, attributes } as unknown as SQSRecord;
}

async function answered(records: SQSRecord[], work: () => Promise<readonly string[]>) {
  const delays: Delay[] = [];
  const errors: unknown[] = [];
  const answer = await answerBatch(records, work, {
    comeBack: async (some) => void delays.push(...some),
    internalError: (error) => errors.push(error),
  });
  return { failures: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), delays, errors };
}

const BATCH = [record('a1', 'a', 3), record('b1', 'b'), record('a2', 'a'), record('c1', undefined, 2)];

test('failed records are returned in order, and are visible again after seconds', async () => {
  const { failures, delays, errors } = await answered(BATCH, async () => ['c1', 'a2', 'a1']);
  expect(failures).toEqual(['a1', 'a2', 'c1']);
  expect(delays).toEqual([
    { receipt: 'receipt of a1', seconds: 4 },
    { receipt: 'receipt of a2', seconds: 4 },
    { receipt: 'receipt of c1', seconds: 2 },
  ]);
  expect(errors).toEqual([]);
});

test('work that fails as a whole returns all records and is reported; the handler never throws', async () => {
  const internalError = new Error('no tables');
  const { failures, delays, errors } = await answered(BATCH, () => Promise.reject(internalError));
  expect(failures).toEqual(['a1', 'b1', 'a2', 'c1']);
  expect(delays.map(({ seconds }) => seconds)).toEqual([4, 1, 4, 2]);
  expect(errors).toEqual([internalError]);
});

test('a batch without failures changes no visibility', async () => {
  const { failures, delays } = await answered(BATCH, async () => []);
  expect([failures, delays]).toEqual([[], []]);
});
