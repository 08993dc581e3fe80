import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { resourceTable } from '../../adapters/dynamodb/history/resource-table.ts';
import { sequenceTable } from '../../adapters/dynamodb/sequences/sequence-table.ts';
import { stuckTable } from '../../adapters/dynamodb/sequences/stuck-table.ts';
import { routeTable } from '../../adapters/dynamodb/subscriptions/route-table.ts';
import { suspectTable } from '../../adapters/dynamodb/suspect-table.ts';
import { sequencesTable } from '../../adapters/dynamodb/table-keys.ts';
import { deadLetters } from '../../adapters/sqs/dead-letters.ts';
import { deliveryQueue } from '../../adapters/sqs/delivery-queue.ts';
import { forwardQueue } from '../../adapters/sqs/forward-queue.ts';
import { deleteBatch } from '../../adapters/sqs/queue-batch.ts';
import { comeBackQueue } from '../../adapters/sqs/redelivery-queue.ts';
import { timerQueue } from '../../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { answerBatch, type Work } from '../../runtime/answer-batch.ts';
import { catalogueBeside } from '../../runtime/catalogue-file.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { loadOf, roomIn } from '../../runtime/room.ts';
import { schemaChecksBeside } from '../../runtime/schema-checks.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { publishMetrics } from '../../telemetry/metrics.ts';
import { tellAge } from '../../telemetry/record-age.ts';
import { MATCH_ENV } from './env.ts';
import { match } from './match.ts';
import { observe, observeInternalError } from './observe.ts';
import type { Intake, MatchPorts } from './ports.ts';
import { sendingUntil } from './sending-until.ts';

const env = readEnv(MATCH_ENV, process.env);
const policy = {
  ...parseDeliveryPolicy(env.DELIVERY_POLICY),
  hasQueueDoor: env.QUEUE_PUBLISHERS === 'some',
};
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const room = roomIn(process.env);
const TIME_LIMIT_MS = 20_000;
/** Of the time limit. A batch that finds no room by then is redelivered. */
const LONGEST_WAIT_MS = 5_000;
/** Nothing is sent later than this. */
const SENDING_TIME_MS = 17_000;
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const sendDeadLetters = deadLetters(sqs, env.EVENTS_DEAD_LETTERS_URL, (error) =>
  logger.error('dead_letter.failed', { error: error as Error }),
);
const comeBack = comeBackQueue(sqs, env.EVENTS_QUEUE_URL, (error) =>
  logger.warn('record.late', { error: error as Error }),
);

const suspects = suspectTable(dynamodb, {
  table: env.SEQUENCES_TABLE,
  keys: sequencesTable,
  now: Date.now,
});

const catalogue = catalogueBeside(import.meta.dirname);

const ports: MatchPorts = {
  catalogue,
  schemas: schemaChecksBeside(import.meta.dirname, catalogue, env.VALIDATE),
  routesOf: routeTable(dynamodb, env.SUBSCRIPTIONS_TABLE),
  keepResource: resourceTable(dynamodb, env.HISTORY_TABLE, policy.retentionDays),
  ...sequenceTable(dynamodb, {
    table: env.SEQUENCES_TABLE,
    now: Date.now,
    onInternalError: (error) => observeInternalError(error, 0),
  }),
  ...stuckTable(dynamodb, {
    sequences: env.SEQUENCES_TABLE,
    subscriptions: env.SUBSCRIPTIONS_TABLE,
    onInternalError: (error) => observeInternalError(error, 0),
  }),
  arm: timerQueue(sqs, env.RETRY_TIMERS_URL, Date.now),
  now: Date.now,
  send: deliveryQueue(sqs, env.DELIVERIES_QUEUE_URL),
  forward: forwardQueue(sqs, env.EVENTS_QUEUE_URL),
  async deadLetter(deadRecords) {
    const left = await sendDeadLetters(
      deadRecords.map(({ intake, ...why }) => ({
        ...intake,
        ...why,
        ...(why.reason === 'routes_unreadable' ? { order: intake.group } : {}),
      })),
    );
    return deadRecords.filter(({ intake }) => left.has(intake.recordId));
  },
  internalError: observeInternalError,
  observe,
};

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const startedAtMs = Date.now();
  tellAge(event.Records, startedAtMs);
  try {
    const work = ({ records, killer }: Work) =>
      room.hold(loadOf(records), LONGEST_WAIT_MS, () =>
        match(
          records.map(intakeOf),
          sendingUntil(ports, startedAtMs + SENDING_TIME_MS, Date.now),
          policy,
          killer,
        ),
      );
    return await answerBatch(event.Records, work, {
      comeBack,
      release: (receipts) => deleteBatch(sqs, env.EVENTS_QUEUE_URL, receipts),
      suspects,
      internalError: (error) => observeInternalError(error, event.Records.length),
      now: Date.now,
      timeLimitMs: TIME_LIMIT_MS,
    });
  } finally {
    publishMetrics();
  }
});

function intakeOf({ messageId, body, attributes }: SQSRecord): Intake {
  return {
    recordId: messageId,
    body,
    group: attributes.MessageGroupId ?? '',
    admittedAtMs: Number(attributes.SentTimestamp),
    orderNumber: attributes.SequenceNumber ?? '',
    receiveCount: Number(attributes.ApproximateReceiveCount),
  };
}
