import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { PROGRESS_ATTRIBUTES } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { testNetworkVariables } from '../../../functions/adapters/http/test-network.ts';
import type { ApiEnv } from '../../../functions/api/env.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import { onlyAttributes, RETURNS_NOTHING } from '../../constructs/data/table-conditions.ts';
import { allowPortalSessions } from '../../constructs/functions/portal-sessions.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import { grantOperationalEvents } from '../../constructs/operational-events.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

interface PartnerApiProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
}

/** Answers partners. */
export function partnerApiFunction(
  scope: Construct,
  { settings, data, pipeline }: PartnerApiProps,
): ServiceFunction {
  const api = new ServiceFunction(scope, 'Api', {
    settings,
    name: 'api',
    description: 'Answers the HTTP API',
    timeout: Duration.seconds(20),
    memorySizeMiB: 1_024,
    traced: true,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
      SIGNING_SECRETS_KEY: data.secretsKeyArn,
      HISTORY_TABLE: data.history.tableName,
      STATISTICS_TABLE: data.statistics.tableName,
      SEQUENCES_TABLE: data.sequences.tableName,
      IDEMPOTENCY_TABLE: data.idempotency.tableName,
      AUDIT_TABLE: data.audit.tableName,
      API_TOKENS_TABLE: data.apiTokens.tableName,
      DELIVERIES_QUEUE_URL: pipeline.deliveries.queue.queueUrl,
      RETRY_TIMERS_URL: pipeline.retryTimers.queue.queueUrl,
      BUS_NAME: pipeline.bus.eventBusName,
      CALLBACK_URL_RULES: JSON.stringify(settings.callbackUrls),
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
      ...testNetworkVariables(settings.testNetwork),
    } satisfies ApiEnv,
  });
  api.allowTable(data.subscriptions, 'GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem');
  // Test pings, and signals to resend a message.
  api.allow(['sqs:SendMessage'], pipeline.deliveries.queue.queueArn);
  // A changed circuit gets its next timer, a recovery its first step.
  pipeline.retryTimers.grantArm(api);
  grantOperationalEvents(pipeline.bus, api);
  // It creates, changes and deletes secrets but never reads one: a write must not return the item that it
  // replaces.
  api.allowTableIf(RETURNS_NOTHING, data.signingSecrets, 'PutItem', 'UpdateItem', 'DeleteItem');
  data.allowSecretsKey(api, 'writing');
  data.allowSecrets(api, 'sealing');
  data.allowDataKey(api, { tables: 'writing', queues: 'sending' });
  api.allowTable(data.history, 'GetItem', 'BatchGetItem', 'Query');
  const { bySubscription, undelivered } = historyTable;
  api.allow(
    ['dynamodb:Query'],
    ...indexesOf(data.history, bySubscription, undelivered),
    data.statistics.tableArn,
  );
  // How far a payment is, and nothing of the events that wait beside it.
  api.allowTableIf(onlyAttributes(PROGRESS_ATTRIBUTES), data.sequences, 'GetItem');

  api.allowTable(data.idempotency, 'PutItem', 'UpdateItem', 'DeleteItem');
  // It appends to the audit trail, on condition that nothing is there yet, and removes nothing.
  api.allowTable(data.audit, 'PutItem', 'Query');
  allowPortalSessions(api, data);
  return api;
}
