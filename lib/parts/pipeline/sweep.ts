import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  orderingKeysTable,
  sequencesTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import type { SweepEnv } from '../../../functions/pipeline/sweep/env.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import { Every } from '../../constructs/queues/every.ts';
import type { PipelineParts } from './parts.ts';

/** each minute -> sweep -> retry-timers */
export function sweepFunction(
  scope: Construct,
  { settings, data, retryTimers }: PipelineParts,
): ServiceFunction {
  const sweep = new ServiceFunction(scope, 'Sweep', {
    settings,
    name: 'sweep',
    description:
      'Finds ordering keys, payments with a gap, circuits and recoveries whose timer is due, too far ahead for SQS or lost, and sends their timers',
    timeout: Duration.seconds(60),
    memorySizeMiB: 512,
    reservedConcurrency: settings.concurrency.sweep,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      ORDERING_KEYS_TABLE: data.orderingKeys.tableName,
      SEQUENCES_TABLE: data.sequences.tableName,
      RETRY_TIMERS_URL: retryTimers.queue.queueUrl,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
    } satisfies SweepEnv,
  });
  const interval = Duration.minutes(1);
  // The next run replaces one that is a minute late.
  new Every(scope, 'SweepEveryMinute', sweep, { interval, when: 'each minute', staleAfter: interval });
  retryTimers.grantArm(sweep);
  data.allowDataKey(sweep, { tables: 'writing' });
  sweep.allow(
    ['dynamodb:UpdateItem'],
    data.subscriptions.tableArn,
    data.orderingKeys.tableArn,
    data.sequences.tableArn,
  );
  sweep.allow(
    ['dynamodb:Query'],
    ...indexesOf(data.subscriptions, subscriptionsTable.due),
    ...indexesOf(data.orderingKeys, orderingKeysTable.due, orderingKeysTable.aging),
    ...indexesOf(data.sequences, sequencesTable.due),
    // To measure how much waits there, and for how long.
    ...indexesOf(data.orderingKeys, orderingKeysTable.backlog, orderingKeysTable.stuck),
  );
  return sweep;
}
