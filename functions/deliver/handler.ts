import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { deadLetters } from '../adapters/dead-letters.ts';
import { deliveryReader } from '../adapters/delivery-reader.ts';
import { hintQueue } from '../adapters/hint-queue.ts';
import { historyWriter } from '../adapters/history-writer.ts';
import { httpPost } from '../adapters/http-post.ts';
import { keyCommitter } from '../adapters/key-committer.ts';
import { keyReader } from '../adapters/key-reader.ts';
import { operationalBus } from '../adapters/operational-bus.ts';
import { deleteBatch } from '../adapters/queue-batch.ts';
import { lenientStandingWriter } from '../adapters/standing-writer.ts';
import { networkOf } from '../adapters/test-network.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { parseDeliveryPolicy } from '../core/delivery-policy.ts';
import { metered, meteredCall, meteredClient } from '../shared/aws-meter.ts';
import { publishMetrics } from '../shared/metrics.ts';
import { tellCollected } from '../shared/operational-events.ts';
import { pause } from '../shared/pause.ts';
import { readEnv } from '../shared/read-env.ts';
import { deliver } from './deliver.ts';
import { DELIVER_ENV } from './env.ts';
import { observeBuried, observeHeld, observer } from './observe.ts';
import type { DeliverPorts } from './ports.ts';
import { readDeliveries } from './read-deliveries.ts';

const env = readEnv(DELIVER_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const bus = operationalBus(meteredClient(new EventBridgeClient(AWS_CLIENT_CONFIG)), env.BUS_NAME);
const now = Date.now;
/** For what is made good by itself: SQS hands the record out again, sweep finds the key or the circuit. */
const shrug = (error: unknown) => observer.fault(error, []);

const tables = {
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  signingSecrets: env.SIGNING_SECRETS_TABLE,
  keys: env.KEYS_TABLE,
  history: env.HISTORY_TABLE,
};
const putAside = deadLetters(sqs, env.DELIVERIES_DEAD_LETTERS_URL, shrug);
const arm = timerQueue(sqs, env.RETRY_TIMERS_URL, now);
const sendHints = hintQueue(sqs, env.DELIVERIES_QUEUE_URL, shrug);

const ports: DeliverPorts = {
  lookUp: deliveryReader(dynamodb, tables, now),
  waitingIn: keyReader(dynamodb, tables),
  post: meteredCall(
    'partner: POST',
    httpPost({ rules: parseCallbackUrlRules(env.CALLBACK_URL_RULES), ...networkOf(process.env) }),
  ),
  save: historyWriter(dynamodb, tables.history, policy.retentionDays),
  commit: keyCommitter(dynamodb, tables, policy.retentionDays),
  changeStanding: lenientStandingWriter(
    dynamodb,
    { table: tables.subscriptions, graceMs: policy.graceMs },
    shrug,
  ),
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

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  try {
    const { incoming, unreadable, held } = readDeliveries(event.Records);
    held.forEach(observeHeld);
    unreadable.forEach(observeBuried);
    // At the same time: what is put aside takes none of the time that the deliveries have.
    const [unburied, again] = await Promise.all([putAside(unreadable), deliver(incoming, ports, policy)]);
    const comeAgain = [...unburied, ...again, ...held.map(({ recordId }) => recordId)];
    return { batchItemFailures: comeAgain.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    await tellCollected(bus);
    publishMetrics();
  }
});
