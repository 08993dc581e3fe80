import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { answerCounter } from '../adapters/answer-table.ts';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { comeBackQueue } from '../adapters/come-back-queue.ts';
import { deadLetters } from '../adapters/dead-letters.ts';
import { deliveryReader } from '../adapters/delivery-reader.ts';
import { hintQueue } from '../adapters/hint-queue.ts';
import { historyWriter } from '../adapters/history-writer.ts';
import { httpPost } from '../adapters/http-post.ts';
import { keyCommitter } from '../adapters/key-committer.ts';
import { keyReader } from '../adapters/key-reader.ts';
import { operationalBus } from '../adapters/operational-bus.ts';
import { deleteBatch } from '../adapters/queue-batch.ts';
import { RollCall } from '../adapters/roll-call.ts';
import { saySlow } from '../adapters/slow-attempts.ts';
import { lenientStandingWriter } from '../adapters/standing-writer.ts';
import { networkOf } from '../adapters/test-network.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { parseDeliveryPolicy } from '../core/delivery-policy.ts';
import { answerBatch } from '../shared/answer-batch.ts';
import { metered, meteredCall, meteredClient } from '../shared/aws-meter.ts';
import { logger } from '../shared/logger.ts';
import { publishMetrics } from '../shared/metrics.ts';
import { type OperationalEvents, operationalEvents } from '../shared/operational-events.ts';
import { pause } from '../shared/pause.ts';
import { readEnv } from '../shared/read-env.ts';
import { tellAge } from '../shared/record-age.ts';
import { roomIn } from '../shared/room.ts';
import { deliver } from './deliver.ts';
import { DELIVER_ENV } from './env.ts';
import { expectedLoad } from './load.ts';
import { observeBuried, observeHeld, observeRefused, observer } from './observe.ts';
import type { DeliverPorts } from './ports.ts';
import { readDeliveries } from './read-deliveries.ts';
import { telling } from './tell.ts';

const env = readEnv(DELIVER_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const bus = operationalBus(meteredClient(new EventBridgeClient(AWS_CLIENT_CONFIG)), env.BUS_NAME);
const now = Date.now;
const room = roomIn(process.env);
/** Of the 60 s of this function: what cannot begin by then comes again. */
const LONGEST_WAIT_MS = 5_000;
/** For what is made good by itself: SQS hands the record out again, sweep finds the key or the circuit. */
const shrug = (error: unknown) => observer.fault(error, []);

const tables = {
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  signingSecrets: env.SIGNING_SECRETS_TABLE,
  keys: env.KEYS_TABLE,
  history: env.HISTORY_TABLE,
};
const putAside = deadLetters(sqs, env.DELIVERIES_DEAD_LETTERS_URL, shrug);
const comeBack = comeBackQueue(sqs, env.DELIVERIES_QUEUE_URL, (error) =>
  logger.warn('record.late', { error: error as Error }),
);
const arm = timerQueue(sqs, env.RETRY_TIMERS_URL, now);
const sendHints = hintQueue(sqs, env.DELIVERIES_QUEUE_URL, shrug);

const ports: DeliverPorts = {
  lookUp: deliveryReader(dynamodb, tables, now),
  waitingIn: keyReader(dynamodb, tables),
  post: meteredCall(
    'partner: POST',
    httpPost({
      rules: parseCallbackUrlRules(env.CALLBACK_URL_RULES),
      ...networkOf(process.env),
      onRefused: observeRefused,
    }),
  ),
  save: historyWriter(dynamodb, tables.history, policy.retentionDays),
  bury: (burials) =>
    putAside(
      burials.map(({ record: { recordId, group, body }, reason, explanation }) => {
        return { recordId, group, body, reason, explanation, order: group };
      }),
    ),
  commit: keyCommitter(dynamodb, tables, policy.retentionDays),
  changeStanding: lenientStandingWriter(
    dynamodb,
    { table: tables.subscriptions, graceMs: policy.graceMs },
    shrug,
  ),
  countAnswers: answerCounter(dynamodb, { table: tables.subscriptions, now }, shrug),
  saySlow: saySlow(new RollCall(dynamodb, { table: tables.subscriptions, now }), shrug),
  arm: (armings) => arm(armings).catch(shrug),
  async hint(hints) {
    await sendHints(hints);
  },
  acknowledge: (records) =>
    deleteBatch(
      sqs,
      env.DELIVERIES_QUEUE_URL,
      records.map(({ receipt }) => receipt),
    ).catch(shrug),
  observer,
  now,
  draw: Math.random,
  token: randomUUID,
  after: pause,
};

/** Answers the ids of the records that come again. */
async function work(
  records: readonly SQSRecord[],
  events: OperationalEvents,
  startedAtMs: number,
): Promise<string[]> {
  const { incoming, unreadable, held } = readDeliveries(records);
  held.forEach(observeHeld);
  for (const letter of unreadable) {
    observeBuried(letter);
  }
  // At the same time: what is put aside takes none of the time that the deliveries have.
  const [unburied, again] = await Promise.all([
    putAside(unreadable),
    room.hold(expectedLoad(incoming), LONGEST_WAIT_MS, () =>
      deliver(incoming, { ...ports, observer: telling(observer, events) }, policy, startedAtMs),
    ),
  ]);
  return [...unburied, ...again, ...held.map(({ recordId }) => recordId)];
}

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const startedAtMs = now();
  const events = operationalEvents(bus);
  tellAge(event.Records, startedAtMs);
  try {
    return await answerBatch(event.Records, () => work(event.Records, events, startedAtMs), {
      comeBack,
      fault: shrug,
    });
  } finally {
    await events.tell();
    publishMetrics();
  }
});
