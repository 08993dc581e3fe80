import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MatchEnv } from '../../../functions/pipeline/match/env.ts';
import { writesOnly } from '../../constructs/data/table-conditions.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { maxWorkersOf, readBy } from '../../pollers.ts';
import { WORKER_SECONDS } from '../../worker-times.ts';
import type { PipelineParts } from './parts.ts';

/** events.fifo -> match -> deliveries.fifo */
export function matchFunction(scope: Construct, parts: PipelineParts): ServiceFunction {
  const { settings, data, events, deliveries, retryTimers } = parts;
  const match = new ServiceFunction(scope, 'Match', {
    settings,
    name: 'match',
    description: 'Turns each event into messages: one for each subscription that wants it',
    timeout: Duration.seconds(WORKER_SECONDS.match),
    memorySizeMiB: 512,
    reservedConcurrency: maxWorkersOf(settings, 'match'),
    // By way of wake: the end of a gap sets the timer of the next one.
    loops: true,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      HISTORY_TABLE: data.history.tableName,
      SEQUENCES_TABLE: data.sequences.tableName,
      EVENTS_QUEUE_URL: events.queue.queueUrl,
      DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      EVENTS_DEAD_LETTERS_URL: events.deadLetters.queueUrl,
      RETRY_TIMERS_URL: retryTimers.queue.queueUrl,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
      QUEUE_PUBLISHERS: settings.queuePublishers === undefined ? 'none' : 'some',
      VALIDATE: settings.validate,
    } satisfies MatchEnv,
  });
  events.feed(match, readBy(settings, 'match'));
  events.grantDeadLetter(match);
  match.allowTable(data.subscriptions, 'BatchGetItem');
  // Which payments are stuck, in the routing item: never a route.
  match.allowTableIf(
    writesOnly(subscriptionsTable.partitionKey, subscriptionsTable.sortKey, 'stuck', 'version'),
    data.subscriptions,
    'UpdateItem',
  );
  match.allowTable(data.history, 'PutItem');
  match.allowTable(data.sequences, 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query');
  retryTimers.grantArm(match);
  // A numbered event that came by another group than its payment's goes to `events.fifo` again.
  match.allow(['sqs:SendMessage'], deliveries.queue.queueArn, events.queue.queueArn);
  data.allowDataKey(match, { tables: 'writing', queues: 'sending' });
  return match;
}
