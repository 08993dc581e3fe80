import type { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { comeBackQueue } from '../../../../functions/adapters/sqs/redelivery-queue.ts';

function queue(answer: () => { Failed?: { Id: string; Code: string; Message: string }[] } = () => ({})) {
  const calls: ChangeMessageVisibilityBatchCommand['input'][] = [];
  const faults: unknown[] = [];
  const client = {
    async send({ input }: ChangeMessageVisibilityBatchCommand) {
      calls.push(input);
      return answer();
    },
  };
  const comeBack = comeBackQueue(client as unknown as SQSClient, 'url', (error) =>
    faults.push(String(error)),
  );
  return { comeBack, calls, faults };
}

const delays = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ receipt: `receipt ${index}`, seconds: index }));

test('ten records at most change in one call, none in none', async () => {
  const { comeBack, calls } = queue();
  await comeBack([]);
  await comeBack(delays(11));
  expect(calls.map(({ Entries }) => Entries?.length)).toEqual([10, 1]);
  expect(calls[0]?.Entries?.[2]).toEqual({ Id: '2', ReceiptHandle: 'receipt 2', VisibilityTimeout: 2 });
});

test('what cannot be changed is told and no more: it comes back when the queue has it', async () => {
  const refusing = queue(() => ({
    Failed: [{ Id: '0', Code: 'ReceiptHandleIsInvalid', Message: 'too late' }],
  }));
  await refusing.comeBack(delays(1));
  expect(refusing.faults).toEqual(['Error: a record returns late: ReceiptHandleIsInvalid too late']);
  const away = queue(() => {
    throw new Error('SQS is away');
  });
  await away.comeBack(delays(1));
  expect(away.faults).toEqual(['Error: SQS is away']);
});
