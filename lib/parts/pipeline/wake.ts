import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { historyTable, orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import type { WakeEnv } from '../../../functions/pipeline/wake/env.ts';
import { RETURNS_NOTHING } from '../../constructs/data/table-conditions.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import { grantOperationalEvents } from '../../constructs/operational-events.ts';
import { WORKER_SECONDS } from '../../worker-times.ts';
import type { PipelineParts } from './parts.ts';

/** retry-timers -> wake -> deliveries.fifo, events.fifo, or the next timer */
export function wakeFunction(scope: Construct, parts: PipelineParts): ServiceFunction {
  const { settings, data, bus, events, deliveries, retryTimers } = parts;
  const wake = new ServiceFunction(scope, 'Wake', {
    settings,
    name: 'wake',
    description:
      'Handles due timers: signals to blocked ordering keys and to payments with a gap, circuit timers, steps of recoveries, subscriptions that expire',
    timeout: Duration.seconds(WORKER_SECONDS.wake),
    memorySizeMiB: 512,
    reservedConcurrency: settings.concurrency.wake,
    loops: true,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      ORDERING_KEYS_TABLE: data.orderingKeys.tableName,
      HISTORY_TABLE: data.history.tableName,
      SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
      AUDIT_TABLE: data.audit.tableName,
      EVENTS_QUEUE_URL: events.queue.queueUrl,
      DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      RETRY_TIMERS_URL: retryTimers.queue.queueUrl,
      BUS_NAME: bus.eventBusName,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
    } satisfies WakeEnv,
  });
  retryTimers.feed(wake, settings.concurrency.wake);
  retryTimers.grantArm(wake);
  wake.allow(['sqs:SendMessage'], deliveries.queue.queueArn, events.queue.queueArn);
  wake.allowTable(data.subscriptions, 'GetItem', 'PutItem', 'UpdateItem');
  // A subscription that expires goes with its secrets, and its partner sees that it has gone.
  wake.allowTableIf(RETURNS_NOTHING, data.signingSecrets, 'DeleteItem');
  wake.allowTable(data.audit, 'PutItem');
  wake.allowTable(data.orderingKeys, 'UpdateItem');
  wake.allow(
    ['dynamodb:Query'],
    ...indexesOf(data.orderingKeys, orderingKeysTable.backlog),
    ...indexesOf(data.history, historyTable.undelivered, historyTable.bySubscription),
  );
  // What a recovery's filter looks into.
  wake.allowTable(data.history, 'BatchGetItem');
  data.allowDataKey(wake, { tables: 'writing', queues: 'sending' });
  grantOperationalEvents(bus, wake);
  return wake;
}
