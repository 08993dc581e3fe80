import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { deadLetters } from '../adapters/dead-letters.ts';
import { deliveryQueue } from '../adapters/delivery-queue.ts';
import { resourceTable } from '../adapters/resource-table.ts';
import { routeTable } from '../adapters/route-table.ts';
import { parseDeliveryPolicy } from '../core/delivery-policy.ts';
import { metered, meteredClient } from '../shared/aws-meter.ts';
import { logger } from '../shared/logger.ts';
import { publishMetrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { MATCH_ENV } from './env.ts';
import { type Admission, type MatchPorts, match } from './match.ts';
import { observe } from './observe.ts';

const env = readEnv(MATCH_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const putAside = deadLetters(sqs, env.EVENTS_DEAD_LETTERS_URL, (error) =>
  logger.error('burial.failed', { error: error as Error }),
);

const ports: MatchPorts = {
  routesOf: routeTable(dynamodb, env.SUBSCRIPTIONS_TABLE),
  keepResource: resourceTable(dynamodb, env.HISTORY_TABLE, policy.retentionDays),
  send: deliveryQueue(sqs, env.DELIVERIES_QUEUE_URL),
  async bury(burials) {
    const left = await putAside(burials.map(({ admission, ...why }) => ({ ...admission, ...why })));
    return burials.filter(({ admission }) => left.has(admission.recordId));
  },
  observe,
};

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  try {
    const again = await match(event.Records.map(admissionOf), ports);
    return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    publishMetrics();
  }
});

function admissionOf({ messageId, body, attributes }: SQSRecord): Admission {
  return {
    recordId: messageId,
    body,
    group: attributes.MessageGroupId ?? '',
    admittedAtMs: Number(attributes.SentTimestamp),
    orderNumber: attributes.SequenceNumber ?? '',
    receiveCount: Number(attributes.ApproximateReceiveCount),
  };
}
