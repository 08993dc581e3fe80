import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { deadLetters } from '../adapters/dead-letters.ts';
import { deliveryReader } from '../adapters/delivery-reader.ts';
import { historyWriter } from '../adapters/history-writer.ts';
import { httpPost } from '../adapters/http-post.ts';
import { deleteBatch, returnBatch } from '../adapters/queue-batch.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { metrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { deliver } from './deliver.ts';
import { DELIVER_ENV } from './env.ts';
import { observe, observeFault, observeRepeat } from './observe.ts';
import type { DeliverPorts, Delivery } from './ports.ts';
import { readDeliveries } from './read-deliveries.ts';

/** A failed attempt is tried again after so long. */
const RETRY_SECONDS = 5;

const env = readEnv(DELIVER_ENV, process.env);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const putAside = deadLetters(sqs, env.DELIVERIES_DEAD_LETTERS_URL, (error) => observeFault(error, []));
const now = Date.now;

const ports: DeliverPorts = {
  lookUp: deliveryReader(
    dynamodb,
    {
      subscriptions: env.SUBSCRIPTIONS_TABLE,
      signingSecrets: env.SIGNING_SECRETS_TABLE,
      history: env.HISTORY_TABLE,
    },
    now,
  ),
  post: httpPost({ rules: parseCallbackUrlRules(env.CALLBACK_URL_RULES) }),
  save: historyWriter(dynamodb, env.HISTORY_TABLE, now),
  acknowledge: (deliveries) =>
    quietly(deliveries, (receipts) => deleteBatch(sqs, env.DELIVERIES_QUEUE_URL, receipts)),
  returnSoon: (deliveries) =>
    quietly(deliveries, (receipts) => returnBatch(sqs, env.DELIVERIES_QUEUE_URL, receipts, RETRY_SECONDS)),
  observe,
  observeFault,
  observeRepeat,
  now,
  after: (ms) => sleep(ms, undefined, { ref: false }),
};

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  try {
    const { deliveries, unreadable } = readDeliveries(event.Records);
    const unburied = await putAside(unreadable);
    const again = [...unburied, ...(await deliver(deliveries, ports))];
    return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    metrics.publishStoredMetrics();
  }
}

/** For what SQS will make good by itself: the record comes again when its visibility ends. */
async function quietly(
  deliveries: readonly Delivery[],
  act: (receipts: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    await act(deliveries.map(({ receipt }) => receipt));
  } catch (error) {
    observeFault(error, deliveries);
  }
}
