import type { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { comeBackQueue } from '../../../../functions/adapters/sqs/redelivery-queue.ts';
import { recordingClient } from '../../../support/recording-client.ts';

function queue(answer: () => { Failed?: { Id: string; Code: string; Message: string }[] } = () => ({})) {
  const errors: unknown[] = [];
  const { client, inputs } = recordingClient<SQSClient, ChangeMessageVisibilityBatchCommand['input']>(answer);
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
