import { SQSClient } from '@aws-sdk/client-sqs';
import { deadLetters } from '../../../../functions/adapters/sqs/dead-letters.ts';
import { deliveryQueue } from '../../../../functions/adapters/sqs/delivery-queue.ts';
import { messageSender } from '../../../../functions/adapters/sqs/message-sender.ts';
import { comeBackQueue } from '../../../../functions/adapters/sqs/redelivery-queue.ts';
import { signalQueue } from '../../../../functions/adapters/sqs/signal-queue.ts';
import { timerQueue } from '../../../../functions/adapters/sqs/timer-queue.ts';
import { message } from '../../../support/builders.ts';
import { type Answered, failingTransport } from '../../../support/network/failing-transport.ts';

/** Fails the first calls as a whole, or one entry of each. */
const FAILURES = {
  'is throttled': (): Answered => ({ error: 'RequestThrottled' }),
  'fails inside': (): Answered => ({ error: 'InternalFailure', status: 500 }),
  'fails for one entry': (): Answered => ({
    Successful: [],
    Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }],
  }),
};
type Failure = keyof typeof FAILURES;

const told: unknown[] = [];
beforeEach(() => told.splice(0));
const tell = (error: unknown) => told.push(error);

const messages = [message({ event_id: 'evt-1' }), message({ event_id: 'evt-2' })];
const letters = messages.map(({ message_id }) => ({
  ...{ recordId: message_id, group: 'g', body: '{}', reason: 'malformed', explanation: 'x' },
}));
const signals = ['pay-1', 'pay-2'].map((payment_id) => ({
  ...{
    v: 1 as const,
    signal_kind: 'resume' as const,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id,
  },
}));
const armings = signals.map((timer) => ({ timer, dueAtMs: 0 })) as unknown as Parameters<
  ReturnType<typeof timerQueue>
>[0];

/** What each adapter says of two records: how many it could not send, or why it gives up. */
const CALLS = {
  deliver: async (client: SQSClient) => (await deliveryQueue(client, 'https://queue')(messages)).length,
  sendOne: (client: SQSClient) => messageSender(client, 'https://queue', tell)(messages[0]!),
  signal: async (client: SQSClient) => (await signalQueue(client, 'https://queue', tell)(signals)).length,
  deadLetter: async (client: SQSClient) => (await deadLetters(client, 'https://queue', tell)(letters)).size,
  arm: (client: SQSClient) => timerQueue(client, 'https://queue', () => 0)(armings),
  comeBack: (client: SQSClient) =>
    comeBackQueue(client, 'https://queue', tell)([1, 2].map((one) => ({ receipt: `${one}`, seconds: 1 }))),
};

async function result(name: keyof typeof CALLS, failure: Failure, times: number) {
  const { config } = failingTransport((_, number) => (number <= times ? FAILURES[failure]() : {}));
  const client = new SQSClient({ ...config, md5: false, useQueueUrlAsEndpoint: false });
  try {
    return { outcome: await CALLS[name](client) };
  } catch (error) {
    return { error: (error as Error).name };
  } finally {
    client.destroy();
  }
}

/** After one failure, and after failures without end. */
const BEHAVIOUR: readonly [keyof typeof CALLS, Failure, object, object][] = [
  ['deliver', 'is throttled', { error: 'RequestThrottled' }, { error: 'RequestThrottled' }],
  ['deliver', 'fails inside', { error: 'InternalFailure' }, { error: 'InternalFailure' }],
  ['deliver', 'fails for one entry', { outcome: 0 }, { outcome: 1 }],
  ['sendOne', 'is throttled', { outcome: false }, { outcome: false }],
  ['signal', 'is throttled', { outcome: 0 }, { outcome: 2 }],
  ['signal', 'fails for one entry', { outcome: 0 }, { outcome: 1 }],
  ['deadLetter', 'is throttled', { outcome: 0 }, { outcome: 2 }],
  ['deadLetter', 'fails for one entry', { outcome: 0 }, { outcome: 1 }],
  ['arm', 'is throttled', { outcome: undefined }, { error: 'Error' }],
  ['arm', 'fails for one entry', { outcome: undefined }, { error: 'Error' }],
  ['comeBack', 'is throttled', { outcome: new Set(['1', '2']) }, { outcome: new Set(['1', '2']) }],
  ['comeBack', 'fails for one entry', { outcome: new Set(['2']) }, { outcome: new Set(['2']) }],
];

test.each(BEHAVIOUR)('%s, when SQS %s once and without end', async (name, failure, once, always) => {
  expect(await result(name, failure, 1)).toEqual(once);
  expect(await result(name, failure, Number.POSITIVE_INFINITY)).toEqual(always);
});

test.each(['sendOne', 'signal', 'deadLetter', 'comeBack'] as const)('%s tells what failed', async (name) => {
  await result(name, 'is throttled', Number.POSITIVE_INFINITY);
  expect(told).not.toEqual([]);
});
