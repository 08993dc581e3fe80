import { MetricUnit } from '@aws-lambda-powertools/metrics';
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
import { METRIC } from '../shared/metric-names.ts';
import { metrics, publishMetrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { MATCH_ENV } from './env.ts';
import { type Admission, type MatchOutcome, type MatchPorts, match } from './match.ts';

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

function observe({ matched, buried, unreadable }: MatchOutcome): void {
  for (const service_id of unreadable) {
    logger.error('routes.unreadable', { service_id });
  }
  for (const { admission, reason, explanation } of buried) {
    logger.warn('event.buried', { record_id: admission.recordId, reason, explanation });
  }
  const unrouted = matched.filter(({ messageCount }) => messageCount === 0);
  for (const { event } of unrouted) {
    logger.info('event.unrouted', {
      event_id: event.event_id,
      service_id: event.service_id,
      event_type: event.public_type,
    });
  }
  count(METRIC.eventMatched, matched.length - unrouted.length);
  count(METRIC.eventUnrouted, unrouted.length);
  count(METRIC.eventBuried, buried.length);
}

function count(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
