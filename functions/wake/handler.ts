import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { drainCount } from '../adapters/drain-count.ts';
import { hintQueue } from '../adapters/hint-queue.ts';
import { keyLine } from '../adapters/key-line.ts';
import { operationalBus } from '../adapters/operational-bus.ts';
import { pastMessages } from '../adapters/past-messages.ts';
import { recoveryTable } from '../adapters/recovery-table.ts';
import { standingReplacer } from '../adapters/standing-writer.ts';
import { subscriptionReader } from '../adapters/subscription-reader.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { waitingCounter } from '../adapters/waiting-counter.ts';
import { parseDeliveryPolicy } from '../core/delivery-policy.ts';
import { metered, meteredClient } from '../shared/aws-meter.ts';
import { publishMetrics } from '../shared/metrics.ts';
import { tellCollected } from '../shared/operational-events.ts';
import { pause } from '../shared/pause.ts';
import { readEnv } from '../shared/read-env.ts';
import { WAKE_ENV } from './env.ts';
import { observer, observeUnreadable } from './observe.ts';
import type { WakePorts } from './ports.ts';
import { readTimers } from './read-timers.ts';
import { wake } from './wake.ts';

const env = readEnv(WAKE_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const bus = operationalBus(meteredClient(new EventBridgeClient(AWS_CLIENT_CONFIG)), env.BUS_NAME);
const now = Date.now;
const onFault = (error: unknown) => observer.fault(error, undefined);

const ports: WakePorts = {
  subscription: subscriptionReader(dynamodb, env.SUBSCRIPTIONS_TABLE),
  ...keyLine(dynamodb, env.KEYS_TABLE, onFault),
  waiting: waitingCounter(dynamodb, env.HISTORY_TABLE),
  drains: drainCount(dynamodb, { table: env.SUBSCRIPTIONS_TABLE, now }),
  replaceStanding: standingReplacer(dynamodb, { table: env.SUBSCRIPTIONS_TABLE, graceMs: policy.graceMs }),
  recoveries: recoveryTable(dynamodb, { ...policy, table: env.SUBSCRIPTIONS_TABLE, now }),
  pastMessages: pastMessages(dynamodb, env.HISTORY_TABLE, onFault),
  hint: hintQueue(sqs, env.DELIVERIES_QUEUE_URL, onFault),
  arm: timerQueue(sqs, env.RETRY_TIMERS_URL, now),
  observer,
  now,
  after: pause,
};

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  try {
    const { rung, unreadable } = readTimers(event.Records);
    unreadable.forEach(observeUnreadable);
    const again = await wake(rung, ports, policy);
    return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    await tellCollected(bus);
    publishMetrics();
  }
});
