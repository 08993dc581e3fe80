import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { hintQueue } from '../adapters/hint-queue.ts';
import { keyLine } from '../adapters/key-line.ts';
import { standingReplacer } from '../adapters/standing-writer.ts';
import { subscriptionReader } from '../adapters/subscription-reader.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { parseDeliveryPolicy } from '../core/delivery-policy.ts';
import { metrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { WAKE_ENV } from './env.ts';
import { observer, observeUnreadable } from './observe.ts';
import type { WakePorts } from './ports.ts';
import { readTimers } from './read-timers.ts';
import { wake } from './wake.ts';

const env = readEnv(WAKE_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const now = Date.now;
const onFault = (error: unknown) => observer.fault(error, undefined);

const ports: WakePorts = {
  subscription: subscriptionReader(dynamodb, env.SUBSCRIPTIONS_TABLE),
  ...keyLine(dynamodb, env.KEYS_TABLE, onFault),
  replaceStanding: standingReplacer(dynamodb, { table: env.SUBSCRIPTIONS_TABLE, graceMs: policy.graceMs }),
  hint: hintQueue(sqs, env.DELIVERIES_QUEUE_URL, onFault),
  arm: timerQueue(sqs, env.RETRY_TIMERS_URL, now),
  observer,
  now,
  after: (ms) => sleep(ms),
};

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  try {
    const { rung, unreadable } = readTimers(event.Records);
    unreadable.forEach(observeUnreadable);
    const again = await wake(rung, ports, policy);
    return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    metrics.publishStoredMetrics();
  }
}
