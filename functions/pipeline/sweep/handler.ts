import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { overdueItems } from '../../adapters/dynamodb/ordering-keys/overdue-items.ts';
import { waitingItems } from '../../adapters/dynamodb/ordering-keys/waiting-items.ts';
import { timerQueue } from '../../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { publishMetrics } from '../../telemetry/metrics.ts';
import { SWEEP_ENV } from './env.ts';
import { measure } from './measure.ts';
import { measureObserver, observer, observeUnreadable } from './observe.ts';
import type { SweepPorts } from './ports.ts';
import { sweep } from './sweep.ts';

const env = readEnv(SWEEP_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const now = Date.now;

const tables = {
  orderingKeys: env.ORDERING_KEYS_TABLE,
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  sequences: env.SEQUENCES_TABLE,
};

const ports: SweepPorts = {
  ...overdueItems(dynamodb, tables, observeUnreadable),
  arm: timerQueue(sqs, env.RETRY_TIMERS_URL, now),
  observer,
  now,
};

export const handler = metered(async (): Promise<void> => {
  const measured = measure({ ...waitingItems(dynamodb, tables), observer: measureObserver, now });
  try {
    await sweep(ports, policy);
  } finally {
    await measured;
    publishMetrics();
  }
});
