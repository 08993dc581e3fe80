import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { forwardQueue } from '../../../../functions/adapters/sqs/forward-queue.ts';

function queue(answer: (entries: readonly SendMessageBatchRequestEntry[]) => object) {
  const calls: SendMessageBatchRequestEntry[][] = [];
  const client = {
    async send({ input: { Entries } }: { input: { Entries: SendMessageBatchRequestEntry[] } }) {
      calls.push(Entries);
      return answer(Entries);
    },
  };
  return { forward: forwardQueue(client as unknown as SQSClient, 'url'), calls };
}

const records = ['a', 'b'].map((recordId) => ({ recordId, body: `{"event_id":"${recordId}"}` }));

test('records go to the other group as they are, each recognised by its own id if it comes again', async () => {
  const { forward, calls } = queue(() => ({}));
  await forward(records, 'shard-01');
  const entry = (Id: string, name: string) => ({
    Id,
    MessageBody: `{"event_id":"${name}"}`,
    MessageGroupId: 'shard-01',
    MessageDeduplicationId: name,
  });
  expect(calls).toEqual([[entry('0', 'a'), entry('1', 'b')]]);
});

test('one that SQS does not take is an error', async () => {
  const { forward } = queue((entries) => ({
    Failed: entries.filter(({ MessageDeduplicationId }) => MessageDeduplicationId === 'b'),
  }));
  await expect(forward(records, 'shard-01')).rejects.toThrow(
    'SQS did not take 1 of 2 records for group shard-01',
  );
});

test('records that are too large together go alone', async () => {
  const { forward, calls } = queue((entries) => {
    if (entries.length > 1) {
      throw new Error('BatchRequestTooLong');
    }
    return {};
  });
  await forward(records, 'shard-01');
  expect(calls.map(({ length }) => length)).toEqual([2, 1, 1]);
});
