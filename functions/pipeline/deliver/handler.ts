import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { deliveryReader } from '../../adapters/dynamodb/history/delivery-reader.ts';
import { historyWriter } from '../../adapters/dynamodb/history/history-writer.ts';
import { leaseEnder } from '../../adapters/dynamodb/ordering-keys/lease-ender.ts';
import { orderingKeyCommitter } from '../../adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { orderingKeyReader } from '../../adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { answerCounter } from '../../adapters/dynamodb/subscriptions/answer-table.ts';
import { lenientEndpointHealthWriter } from '../../adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { RollCall } from '../../adapters/dynamodb/subscriptions/period-count.ts';
import { saySlow } from '../../adapters/dynamodb/subscriptions/slow-attempts.ts';
import { suspectTable } from '../../adapters/dynamodb/suspect-table.ts';
import { subscriptionsTable } from '../../adapters/dynamodb/table-keys.ts';
import { operationalBus } from '../../adapters/eventbridge/operational-bus.ts';
import { httpPost } from '../../adapters/http/http-post.ts';
import { networkOf } from '../../adapters/http/test-network.ts';
import { kmsOnLambda } from '../../adapters/kms/kms-client.ts';
import { kmsOpen, openOnce } from '../../adapters/kms/kms-sealing.ts';
import { deadLetters } from '../../adapters/sqs/dead-letters.ts';
import { deleteBatch } from '../../adapters/sqs/queue-batch.ts';
import { comeBackQueue } from '../../adapters/sqs/redelivery-queue.ts';
import { signalQueue } from '../../adapters/sqs/signal-queues.ts';
import { timerQueue } from '../../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { parseCallbackUrlRules } from '../../core/subscription/callback-url.ts';
import { answerBatch, type Work } from '../../runtime/answer-batch.ts';
import { Blindness } from '../../runtime/blindness.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { sleep } from '../../runtime/remembered-for.ts';
import { roomIn } from '../../runtime/room.ts';
import { metered, meteredCall, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { publishMetrics } from '../../telemetry/metrics.ts';
import { type OperationalEvents, operationalEvents } from '../../telemetry/operational-events.ts';
import { tellAge } from '../../telemetry/record-age.ts';
import { deliver, readDeliveries } from './deliver.ts';
import { DELIVER_ENV } from './env.ts';
import { expectedLoad } from './expected-load.ts';
import { deliverObserver, observeDeadLettered, observeDeferred, observeRefused } from './observe.ts';
import type { DeliverPorts, Incoming } from './ports.ts';
import { telling } from './tell.ts';

const env = readEnv(DELIVER_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const observer = deliverObserver(Number(env.ATTEMPTS_PER_DRAW), Math.random);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const bus = operationalBus(meteredClient(new EventBridgeClient(AWS_CLIENT_CONFIG)), env.BUS_NAME);
const now = Date.now;
const room = roomIn(process.env);
const TIME_LIMIT_MS = 60_000;
/** Of the time limit. A batch that finds no room by then is redelivered. */
const LONGEST_WAIT_MS = 5_000;
/**
 * For errors that need no other answer: SQS delivers the record again, or sweep finds the ordering key or the
 * circuit.
 */
const ignoreError = (error: unknown) => observer.internalError(error, []);

const tables = {
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  signingSecrets: env.SIGNING_SECRETS_TABLE,
  orderingKeys: env.ORDERING_KEYS_TABLE,
  history: env.HISTORY_TABLE,
};
const sendDeadLetters = deadLetters(sqs, env.DELIVERIES_DEAD_LETTERS_URL, ignoreError);
const comeBack = comeBackQueue(sqs, env.DELIVERIES_QUEUE_URL, (error) =>
  logger.warn('record.late', { error: error as Error }),
);
const suspects = suspectTable(dynamodb, { table: tables.subscriptions, keys: subscriptionsTable, now });
const arm = timerQueue(sqs, env.RETRY_TIMERS_URL, now);
const sendSignals = signalQueue(sqs, env.DELIVERIES_QUEUE_URL, ignoreError);

const blindness = new Blindness();

const ports: Omit<DeliverPorts, 'giveBack'> = {
  lookUp: deliveryReader(
    dynamodb,
    tables,
    openOnce(kmsOpen(meteredCall('KMS', kmsOnLambda(process.env)), env.SIGNING_SECRETS_KEY)),
    now,
  ),
  waitingIn: orderingKeyReader(dynamodb, tables),
  post: meteredCall(
    'partner: POST',
    httpPost({
      rules: parseCallbackUrlRules(env.CALLBACK_URL_RULES),
      ...networkOf(process.env),
      onRefused: observeRefused,
    }),
  ),
  save: historyWriter(dynamodb, tables.history, policy.retentionDays),
  deadLetter: (deadRecords) =>
    sendDeadLetters(
      deadRecords.map(({ record: { recordId, group, body }, reason, explanation }) => {
        return { recordId, group, body, reason, explanation, order: group };
      }),
    ),
  endLease: leaseEnder(dynamodb, tables.orderingKeys),
  commit: orderingKeyCommitter(dynamodb, tables, policy.retentionDays),
  changeEndpointHealth: lenientEndpointHealthWriter(
    dynamodb,
    { table: tables.subscriptions, graceMs: policy.graceMs },
    ignoreError,
  ),
  countAnswers: answerCounter(dynamodb, { table: tables.subscriptions, now }, ignoreError),
  saySlow: saySlow(new RollCall(dynamodb, { table: tables.subscriptions, now }), ignoreError),
  arm: (armings) => arm(armings).catch(ignoreError),
  async signal(signals) {
    await sendSignals(signals);
  },
  acknowledge: (records) =>
    deleteBatch(
      sqs,
      env.DELIVERIES_QUEUE_URL,
      records.map(({ receipt }) => receipt),
    ).catch(ignoreError),
  blindMs: () => blindness.ms,
  observer,
  now,
  draw: Math.random,
  token: randomUUID,
  after: sleep,
};

/** Answers the ids of the records to be redelivered. */
async function work(
  { records, killer, giveBack }: Work,
  events: OperationalEvents,
  startedAtMs: number,
): Promise<string[]> {
  const { incoming, unreadable, deferred } = readDeliveries(records, killer);
  deferred.forEach(observeDeferred);
  for (const deadLetter of unreadable) {
    observeDeadLettered(deadLetter);
  }
  const batchPorts = {
    ...ports,
    giveBack: (some: readonly Incoming[]) => giveBack(some.map(({ recordId }) => recordId)),
    observer: telling(observer, events),
  };
  // At the same time, so that they take no time from deliveries, and wait for none.
  const [notDeadLettered, again] = await Promise.all([
    sendDeadLetters(unreadable).then(async (left) => {
      await giveBack([...left]);
      return left;
    }),
    room.hold(expectedLoad(incoming), LONGEST_WAIT_MS, () =>
      blindness.during(() => deliver(incoming, batchPorts, policy, startedAtMs)),
    ),
    giveBack(deferred.map(({ recordId }) => recordId)),
  ]);
  return [...notDeadLettered, ...again, ...deferred.map(({ recordId }) => recordId)];
}

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const startedAtMs = now();
  const events = operationalEvents(bus);
  tellAge(event.Records, startedAtMs);
  try {
    return await answerBatch(event.Records, (asked) => work(asked, events, startedAtMs), {
      comeBack,
      release: (receipts) => deleteBatch(sqs, env.DELIVERIES_QUEUE_URL, receipts),
      suspects,
      internalError: ignoreError,
      now,
      timeLimitMs: TIME_LIMIT_MS,
    });
  } finally {
    await events.tell();
    publishMetrics();
  }
});
