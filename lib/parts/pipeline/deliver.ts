import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { testNetworkVariables } from '../../../functions/adapters/http/test-network.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import type { DeliverEnv } from '../../../functions/pipeline/deliver/env.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { grantOperationalEvents } from '../../constructs/operational-events.ts';
import { maxWorkersOf, readBy } from '../../pollers.ts';
import { WORKER_SECONDS } from '../../worker-times.ts';
import type { PipelineParts } from './parts.ts';

/** deliveries.fifo -> deliver -> partners; failed messages -> retry-timers */
export function deliverFunction(scope: Construct, parts: PipelineParts): ServiceFunction {
  const { settings, data, bus, deliveries, retryTimers, network } = parts;
  const deliver = new ServiceFunction(scope, 'Deliver', {
    settings,
    name: 'deliver',
    description: 'Signs and sends messages in the order of each payment, and records every attempt',
    timeout: Duration.seconds(WORKER_SECONDS.deliver),
    // It mostly waits for partners, and waiting is billed by memory: docs/performance.md, "Memory of
    // deliver".
    memorySizeMiB: 512,
    reservedConcurrency: maxWorkersOf(settings, 'deliver'),
    loops: true,
    network,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
      SIGNING_SECRETS_KEY: data.secretsKeyArn,
      HISTORY_TABLE: data.history.tableName,
      ORDERING_KEYS_TABLE: data.orderingKeys.tableName,
      DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      DELIVERIES_DEAD_LETTERS_URL: deliveries.deadLetters.queueUrl,
      RETRY_TIMERS_URL: retryTimers.queue.queueUrl,
      BUS_NAME: bus.eventBusName,
      CALLBACK_URL_RULES: JSON.stringify(settings.callbackUrls),
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
      ATTEMPTS_PER_DRAW: String(settings.attemptsPerDraw),
      ...testNetworkVariables(settings.testNetwork),
    } satisfies DeliverEnv,
  });
  deliveries.feed(deliver, readBy(settings, 'deliver'));
  deliveries.grantDeadLetter(deliver);
  // Signals that it sends to itself.
  deliver.allow(['sqs:SendMessage'], deliveries.queue.queueArn);
  retryTimers.grantArm(deliver);
  deliver.allowTable(data.subscriptions, 'BatchGetItem', 'UpdateItem');
  deliver.allowTable(data.orderingKeys, 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem');
  deliver.allowTable(data.history, 'BatchGetItem', 'BatchWriteItem', 'PutItem');
  deliver.allowTable(data.signingSecrets, 'BatchGetItem');
  data.allowSecretsKey(deliver, 'reading');
  data.allowSecrets(deliver, 'opening');
  data.allowDataKey(deliver, { tables: 'writing', queues: 'sending' });
  grantOperationalEvents(bus, deliver);
  return deliver;
}
