import type { SQSClient } from '@aws-sdk/client-sqs';
import { readEventDeadLetter } from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import { redriveQueues } from '../../../../../cli/operator/redrive/redrive-queues.ts';
import { paymentEvent } from '../../../../support/builders.ts';
import { received } from './dead-letter-world.ts';

interface Call {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever SQS is asked
  readonly input: any;
}

/** A queue that writes down what it is asked; `answer` says what it answers, or throws. */
function queue(answer: (call: Call) => object = () => ({})) {
  const calls: Call[] = [];
  const client = {
    async send(command: { constructor: { name: string }; input: unknown }) {
      const call = { name: command.constructor.name.replace('Command', ''), input: command.input };
      calls.push(call);
      return answer(call);
    },
  };
  const ports = redriveQueues(client as unknown as SQSClient, { deadLetters: 'dead', target: 'target' });
  return { ports, calls };
}

const deadLetter = (number: number, attributes = {}) =>
  readEventDeadLetter(
    received({
      recordId: `record-${number}`,
      receipt: `receipt-${number}`,
      group: 'shard-01',
      body: JSON.stringify(paymentEvent({ event_id: `e-${number}` })),
      attributes,
    }),
  );

test('what goes back says so, is no repeat to SQS, and leaves behind what was said of it', async () => {
  const { ports, calls } = queue();
  const one = deadLetter(1, { Reason: 'unknown_type' });
  await ports.send([one]);
  await ports.send([one]);
  const entries = calls.map(({ input }) => input.Entries[0]);
  expect(entries[0]).toMatchObject({
    MessageBody: one.received.body,
    MessageGroupId: 'shard-01',
    MessageAttributes: { PutBackAt: { StringValue: expect.stringMatching(/^\d{4}-.*Z$/) } },
  });
  expect(Object.keys(entries[0].MessageAttributes)).toEqual(['PutBackAt']);
  expect(new Set(entries.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(2);
  expect(calls.map(({ input }) => input.QueueUrl)).toEqual(['target', 'target']);
});

test('what goes to a standard queue goes without delay', async () => {
  const { ports, calls } = queue();
  const timer = deadLetter(1);
  await ports.send([{ ...timer, goes: { body: timer.goes.body } }]);
  expect(calls[0]?.input.Entries[0]).toMatchObject({ DelaySeconds: 0 });
  expect(calls[0]?.input.Entries[0]).not.toHaveProperty('MessageGroupId');
});

test('a refused call is told, with nothing taken', async () => {
  const internalError = new Error('denied');
  const { ports } = queue(() => {
    throw internalError;
  });
  expect(await ports.send([deadLetter(1)])).toEqual({ taken: [], internalError });
  expect(await ports.remove([deadLetter(1)])).toHaveLength(1);
  await ports.giveBack([deadLetter(1).received]);
});

test('what is taken apart keeps its body and attributes, and remembers group, place and time', async () => {
  const { ports, calls } = queue();
  await ports.takeApart([deadLetter(1, { Reason: 'unknown_type' }), deadLetter(2)]);
  const [{ input }, deletion] = calls as [Call, Call];
  expect(input.QueueUrl).toBe('dead');
  expect(input.Entries[0]).toMatchObject({
    MessageBody: deadLetter(1).received.body,
    MessageGroupId: 'apart-record-1',
    MessageDeduplicationId: 'record-1',
    MessageAttributes: {
      Reason: { StringValue: 'unknown_type' },
      OriginalGroup: { StringValue: 'shard-01' },
      OriginalSentAt: { StringValue: String(deadLetter(1).received.sentAtMs) },
    },
  });
  const places = input.Entries.map(
    (entry: { MessageAttributes: { OriginalPosition: { StringValue: string } } }) =>
      entry.MessageAttributes.OriginalPosition.StringValue,
  );
  expect(places).toEqual(places.toSorted());
  expect(deletion).toMatchObject({
    name: 'DeleteMessageBatch',
    input: { QueueUrl: 'dead', Entries: [{ ReceiptHandle: 'receipt-1' }, { ReceiptHandle: 'receipt-2' }] },
  });
});

test('of what has been taken apart the first time counts', async () => {
  const { ports } = queue(() => ({
    Messages: [
      {
        MessageId: '1',
        ReceiptHandle: 'r',
        Body: '{}',
        Attributes: { SentTimestamp: '2000', MessageGroupId: 'apart-1' },
        MessageAttributes: { OriginalSentAt: { StringValue: '1000' } },
      },
    ],
  }));
  expect(await ports.receive()).toMatchObject([{ recordId: '1', group: 'apart-1', sentAtMs: 1_000 }]);
});
