import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { portalSessionTable } from '../../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { deliveryReader } from '../../../../functions/adapters/dynamodb/history/delivery-reader.ts';
import { recoveryTable } from '../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { orderingKeyReader } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { progressReader } from '../../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { sequenceTable } from '../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { answerReader } from '../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { RollCall } from '../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { routeTable } from '../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { subscriptionRegistry } from '../../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { inMemorySealing } from '../../../../functions/adapters/kms/sealing.ts';
import { deadLetters } from '../../../../functions/adapters/sqs/dead-letters.ts';
import { deliveryQueue } from '../../../../functions/adapters/sqs/delivery-queue.ts';
import { messageSender } from '../../../../functions/adapters/sqs/message-sender.ts';
import { comeBackQueue } from '../../../../functions/adapters/sqs/redelivery-queue.ts';
import { signalQueue } from '../../../../functions/adapters/sqs/signal-queues.ts';
import { timerQueue } from '../../../../functions/adapters/sqs/timer-queue.ts';
import { message, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { type Answered, type Call, failingTransport } from '../../../support/network/failing-transport.ts';
import { paymentToTest } from '../../../support/promises/payment-to-test.ts';

describe('queues', () => {
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

  test.each(['sendOne', 'signal', 'deadLetter', 'comeBack'] as const)(
    '%s tells what failed',
    async (name) => {
      await result(name, 'is throttled', Number.POSITIVE_INFINITY);
      expect(told).not.toEqual([]);
    },
  );
});

describe('lagging reads', () => {
  const now = () => TEN_O_CLOCK_MS;
  const { seal, open } = inMemorySealing();
  const NAMES = {
    orderingKeys: 'keys',
    history: 'history',
    subscriptions: 'subscriptions',
    signingSecrets: 'secrets',
  };
  const { name, key, record } = paymentToTest();
  const registry = (client: DynamoDBClient) =>
    subscriptionRegistry(client, { tables: NAMES, graceMs: 0, seal, now });

  /** Whether each read asks for the latest: a batch does if all its tables do. */
  async function consistencyOf(read: (client: DynamoDBClient) => Promise<unknown>): Promise<boolean[]> {
    const { config, calls } = failingTransport(() => ({}));
    await read(new DynamoDBClient(config));
    return calls.map(({ input }: Call) =>
      (Object.values(input.RequestItems ?? { only: input }) as { ConsistentRead?: boolean }[]).every(
        ({ ConsistentRead }) => ConsistentRead === true,
      ),
    );
  }

  test.each<[string, (client: DynamoDBClient) => Promise<unknown>]>([
    [
      'what a delivery needs',
      (client) =>
        deliveryReader(
          client,
          NAMES,
          open,
          now,
        )({
          ...{ subscriptions: [name], keys: [key.waiting.ordering_key] },
          ...{ messageIds: [record(1).message_id], resources: [{ ...name, event_id: 'evt-1' }] },
        }),
    ],
    ['queued messages', (client) => orderingKeyReader(client, NAMES)(key.waiting.ordering_key)],
    ['routes', (client) => routeTable(client, 'subscriptions')(['bakery'])],
    ['a subscription', (client) => registry(client).find('bakery', 'sub_1')],
    ['the subscriptions of a service', (client) => registry(client).list('bakery')],
    [
      'how far payments are',
      (client) =>
        sequenceTable(client, { table: 'sequences', now, onInternalError: () => {} }).sequencesOf([name]),
    ],
    [
      'a recovery',
      (client) =>
        recoveryTable(client, { table: 'subscriptions', graceMs: 0, retentionDays: 1, now }).find(name),
    ],
    ['the answers of an endpoint', (client) => answerReader(client, 'subscriptions')('sub_1')],
    ['a portal session', (client) => portalSessionTable(client, 'tokens').find('ps_1')],
  ])('%s: a lagging read would decide wrongly, so it asks for the latest', async (_, read) => {
    const consistent = await consistencyOf(read);
    expect(consistent).not.toEqual([]);
    expect(consistent).not.toContain(false);
  });

  test.each<[string, (client: DynamoDBClient) => Promise<unknown>]>([
    [
      'counts of a second',
      (client) => new RollCall(client, { table: 'subscriptions', now }).heard('#drains'),
    ],
    ['a payment’s progress, for people', (client) => progressReader(client, 'sequences')(name)],
  ])('%s may lag, at half the price', async (_, read) => {
    expect(await consistencyOf(read)).not.toContain(true);
  });
});
