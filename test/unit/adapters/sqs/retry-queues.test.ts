import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { gapSignalQueue, signalQueue } from '../../../../functions/adapters/sqs/signal-queues.ts';
import { timerQueue } from '../../../../functions/adapters/sqs/timer-queue.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import type { Signal } from '../../../../functions/core/signal/signal.ts';
import type { Timer } from '../../../../functions/core/signal/timer.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

/** A queue that records what it is sent; `refuse` returns whether it refuses a body, or throws. */
function queue(refuse: (body: string) => boolean = () => false) {
  const calls: SendMessageBatchRequestEntry[][] = [];
  const client = {
    async send({ input }: { input: { Entries: SendMessageBatchRequestEntry[] } }) {
      calls.push(input.Entries);
      return { Failed: input.Entries.filter(({ MessageBody = '' }) => refuse(MessageBody)) };
    },
  };
  return { client: client as unknown as SQSClient, calls };
}

const timer = (number: number): Timer => ({
  v: 1,
  kind: 'circuit',
  service_id: 'bakery',
  subscription_id: 'sub_1',
  generation: number,
});
const signal = (payment_id: string): Signal => ({
  v: 1,
  service_id: 'bakery',
  subscription_id: 'sub_1',
  payment_id,
  signal_kind: 'resume',
});
const payments = (count: number) => Array.from({ length: count }, (_, index) => signal(`pay-${index}`));

describe('a timer', () => {
  const arm = (client: SQSClient) => timerQueue(client, 'url', () => TEN_O_CLOCK_MS);

  test.each([
    [0, 0],
    [1, 1],
    [1_000, 1],
    [59_001, 60],
    [-5_000, 0],
    [900_000, 900],
    [3_600_000, 900],
  ])('due in %i ms is delayed by %i s: never early, never longer than SQS allows', async (ms, seconds) => {
    const { client, calls } = queue();
    await arm(client)([{ timer: timer(1), dueAtMs: TEN_O_CLOCK_MS + ms }]);
    expect(calls).toEqual([[{ Id: '0', MessageBody: JSON.stringify(timer(1)), DelaySeconds: seconds }]]);
  });

  test('that was not accepted is reported after the others were sent', async () => {
    const { client, calls } = queue((body) => {
      if (body.includes('"generation":0')) throw new Error('throttled');
      return false;
    });
    const armings = Array.from({ length: 12 }, (_, index) => ({
      timer: timer(index),
      dueAtMs: TEN_O_CLOCK_MS,
    }));
    await expect(arm(client)(armings)).rejects.toThrow('1 of 12 timers were not accepted');
    // A call that is refused as a whole is repeated one by one.
    expect(calls.map(({ length }) => length)).toEqual([10, ...Array(10).fill(1), 2]);
  });
});

describe('a signal', () => {
  const ignore = () => {};

  test('is sent in the message group of its ordering key', async () => {
    const { client, calls } = queue();
    expect(await signalQueue(client, 'url', ignore)([signal('pay-1')])).toEqual([]);
    expect(calls).toEqual([
      [
        {
          Id: '0',
          MessageBody: JSON.stringify(signal('pay-1')),
          MessageGroupId: 'sub_1.pay-1',
          MessageDeduplicationId: expect.any(String),
        },
      ],
    ]);
  });

  test('that is sent again is not a duplicate to SQS', async () => {
    const { client, calls } = queue();
    const send = signalQueue(client, 'url', ignore);
    await send([signal('pay-1'), signal('pay-1')]);
    await send([signal('pay-1')]);
    const ids = calls.flat().map(({ MessageDeduplicationId }) => MessageDeduplicationId);
    expect(new Set(ids).size).toBe(3);
  });

  test('that causes its batch to be refused is reported with the reason, and no other', async () => {
    const { client, calls } = queue((body) => {
      if (body.includes('"pay-0"')) throw new Error('throttled');
      return false;
    });
    const errors: unknown[] = [];
    const left = await signalQueue(client, 'url', (internalError) => errors.push(internalError))(
      payments(12),
    );
    expect(left).toEqual(payments(1));
    expect(calls.map(({ length }) => length)).toEqual([10, ...Array(10).fill(1), 2]);
    expect(errors).toEqual([new Error('throttled')]);
  });
});

describe('a gap signal', () => {
  const gap = (payment_id: string) => gapSignal({ service_id: 'bakery', payment_id, group: 'shard-0a' });

  test('is sent in the message group of its payment, and again is not a duplicate to SQS', async () => {
    const { client, calls } = queue();
    const send = gapSignalQueue(client, 'url', () => {});
    expect(await send([gap('pay-1'), gap('pay-1')])).toEqual([]);
    const entries = calls.flat();
    expect(entries).toMatchObject(
      Array(2).fill({ MessageBody: JSON.stringify(gap('pay-1')), MessageGroupId: 'shard-0a' }),
    );
    expect(new Set(entries.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(2);
  });

  test('that is refused is reported with the reason, and no other', async () => {
    const { client } = queue((body) => {
      if (body.includes('"pay-1"')) throw new Error('throttled');
      return false;
    });
    const errors: unknown[] = [];
    const send = gapSignalQueue(client, 'url', (internalError) => errors.push(internalError));
    expect(await send([gap('pay-1'), gap('pay-2')])).toEqual([gap('pay-1')]);
    expect(errors).toEqual([new Error('throttled')]);
  });
});
