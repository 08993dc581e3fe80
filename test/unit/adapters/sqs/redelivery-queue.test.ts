import type {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { forwardQueue } from '../../../../functions/adapters/sqs/forward-queue.ts';
import { comeBackQueue } from '../../../../functions/adapters/sqs/redelivery-queue.ts';
import { recordingClient } from '../../../support/recorded-parameters.ts';

describe('redelivery queue', () => {
  function queue(answer: () => { Failed?: { Id: string; Code: string; Message: string }[] } = () => ({})) {
    const errors: unknown[] = [];
    const { client, inputs } = recordingClient<SQSClient, ChangeMessageVisibilityBatchCommand['input']>(
      answer,
    );
    const comeBack = comeBackQueue(client, 'url', (error) => errors.push(String(error)));
    return { comeBack, calls: inputs, errors };
  }

  const delays = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ receipt: `receipt ${index}`, seconds: index }));

  test('at most ten records change in one call, and no records cause no call', async () => {
    const { comeBack, calls } = queue();
    await comeBack([]);
    await comeBack(delays(11));
    expect(calls.map(({ Entries }) => Entries?.length)).toEqual([10, 1]);
    expect(calls[0]?.Entries?.[2]).toEqual({ Id: '2', ReceiptHandle: 'receipt 2', VisibilityTimeout: 2 });
  });

  test('a failed change is only reported: the record returns with the visibility timeout of the queue', async () => {
    const refusing = queue(() => ({
      Failed: [{ Id: '0', Code: 'ReceiptHandleIsInvalid', Message: 'too late' }],
    }));
    await refusing.comeBack(delays(1));
    expect(refusing.errors).toEqual(['Error: a record returns late: ReceiptHandleIsInvalid too late']);
    const away = queue(() => {
      throw new Error('SQS is away');
    });
    await away.comeBack(delays(1));
    expect(away.errors).toEqual(['Error: SQS is away']);
  });
});

describe('forward queue', () => {
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

  test('records go to the other group as they are, each recognised by its own id if it is received again', async () => {
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
});
