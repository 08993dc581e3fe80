import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { auditTrailTable } from '../../adapters/dynamodb/api/audit-table.ts';
import { messageContents } from '../../adapters/dynamodb/history/message-contents.ts';
import { pastMessages } from '../../adapters/dynamodb/history/past-messages.ts';
import { recoveryTable } from '../../adapters/dynamodb/history/recovery-table.ts';
import { backlogReader } from '../../adapters/dynamodb/ordering-keys/backlog.ts';
import { waitingCounter } from '../../adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { answerReader } from '../../adapters/dynamodb/subscriptions/answer-table.ts';
import { endpointHealthReplacer } from '../../adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { drainCount, RollCall, recoveryCount } from '../../adapters/dynamodb/subscriptions/period-count.ts';
import { slowAttempts } from '../../adapters/dynamodb/subscriptions/slow-attempts.ts';
import { subscriptionReader } from '../../adapters/dynamodb/subscriptions/subscription-reader.ts';
import { subscriptionRegistry } from '../../adapters/dynamodb/subscriptions/subscription-registry.ts';
import { suspectTable } from '../../adapters/dynamodb/suspect-table.ts';
import { subscriptionsTable } from '../../adapters/dynamodb/table-keys.ts';
import { operationalBus } from '../../adapters/eventbridge/operational-bus.ts';
import { cannotSeal } from '../../adapters/kms/sealing.ts';
import { deleteBatch } from '../../adapters/sqs/queue-batch.ts';
import { comeBackQueue } from '../../adapters/sqs/redelivery-queue.ts';
import { gapSignalQueue, signalQueue } from '../../adapters/sqs/signal-queues.ts';
import { timerQueue } from '../../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { answerBatch, type Work } from '../../runtime/answer-batch.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { sleep } from '../../runtime/remembered-for.ts';
import { loadOf, roomIn } from '../../runtime/room.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { publishMetrics } from '../../telemetry/metrics.ts';
import { type OperationalEvents, operationalEvents } from '../../telemetry/operational-events.ts';
import { WAKE_ENV } from './env.ts';
import { observer, observeUnreadable } from './observe.ts';
import type { WakePorts } from './ports.ts';
import { telling } from './tell.ts';
import { readTimers, wake } from './wake.ts';

const env = readEnv(WAKE_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));
const sqs = meteredClient(new SQSClient(AWS_CLIENT_CONFIG));
const bus = operationalBus(meteredClient(new EventBridgeClient(AWS_CLIENT_CONFIG)), env.BUS_NAME);
const now = Date.now;
const room = roomIn(process.env);
const TIME_LIMIT_MS = 15_000;
/** Of the time limit. A batch that finds no room by then is redelivered. */
const LONGEST_WAIT_MS = 3_000;
const rollCall = new RollCall(dynamodb, { table: env.SUBSCRIPTIONS_TABLE, now });
const onInternalError = (error: unknown) => observer.internalError(error, undefined);
const comeBack = comeBackQueue(sqs, env.RETRY_TIMERS_URL, (error) =>
  logger.warn('record.late', { error: error as Error }),
);

const suspects = suspectTable(dynamodb, { table: env.SUBSCRIPTIONS_TABLE, keys: subscriptionsTable, now });

const ports: WakePorts = {
  subscription: subscriptionReader(dynamodb, env.SUBSCRIPTIONS_TABLE),
  ...backlogReader(dynamodb, env.ORDERING_KEYS_TABLE, onInternalError),
  waiting: waitingCounter(dynamodb, env.HISTORY_TABLE),
  drains: drainCount(rollCall),
  recovering: recoveryCount(rollCall),
  slowAttempts: slowAttempts(rollCall),
  answers: answerReader(dynamodb, env.SUBSCRIPTIONS_TABLE),
  replaceEndpointHealth: endpointHealthReplacer(dynamodb, {
    table: env.SUBSCRIPTIONS_TABLE,
    graceMs: policy.graceMs,
  }),
  revise: subscriptionRegistry(dynamodb, {
    tables: { subscriptions: env.SUBSCRIPTIONS_TABLE, signingSecrets: env.SIGNING_SECRETS_TABLE },
    graceMs: policy.graceMs,
    seal: cannotSeal,
    now,
  }).revise,
  keepChange: auditTrailTable(dynamodb, env.AUDIT_TABLE).keep,
  recoveries: recoveryTable(dynamodb, { ...policy, table: env.SUBSCRIPTIONS_TABLE, now }),
  pastMessages: pastMessages(dynamodb, env.HISTORY_TABLE, onInternalError),
  contents: messageContents(dynamodb, env.HISTORY_TABLE, onInternalError),
  signal: signalQueue(sqs, env.DELIVERIES_QUEUE_URL, onInternalError),
  signalGaps: gapSignalQueue(sqs, env.EVENTS_QUEUE_URL, onInternalError),
  arm: timerQueue(sqs, env.RETRY_TIMERS_URL, now),
  observer,
  now,
  draw: Math.random,
  after: sleep,
};

/** Answers the ids of the records to be redelivered. */
async function work({ records, killer }: Work, events: OperationalEvents): Promise<string[]> {
  const { fired, unreadable } = readTimers(records, killer);
  unreadable.forEach(observeUnreadable);
  return room.hold(loadOf(records), LONGEST_WAIT_MS, () =>
    wake(fired, { ...ports, observer: telling(observer, events) }, policy),
  );
}

export const handler = metered(async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const events = operationalEvents(bus);
  try {
    return await answerBatch(event.Records, (asked) => work(asked, events), {
      comeBack,
      release: (receipts) => deleteBatch(sqs, env.RETRY_TIMERS_URL, receipts),
      suspects,
      internalError: onInternalError,
      now,
      timeLimitMs: TIME_LIMIT_MS,
    });
  } finally {
    await events.tell();
    publishMetrics();
  }
});
