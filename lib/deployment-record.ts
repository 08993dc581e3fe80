import { Stack } from 'aws-cdk-lib';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { ServiceFunction } from './constructs/functions/service-function.ts';
import { alarmNamePrefix } from './observability/alarms/runbook-alarm.ts';
import type { PayhooksParts } from './payhooks-parts.ts';
import {
  type DeploymentSettings,
  PARTS,
  type Part,
  type RecordedPart,
  recordName,
  settingsJson,
  stageDeployment,
} from './recorded-deployment.ts';
import type { Settings } from './settings.ts';

/** Of a parameter of the tier that costs nothing. Source: "Managing parameter tiers", AWS Systems Manager. */
const MAX_BYTES = 4_096;

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Writes down what commands need to find a deployment by its name, in parameters of SSM. Each part writes its
 * own in its own stack: no stack has to export anything for it, and what is deployed half-way is found as
 * far as it is there.
 *
 * @throws when the stacks' names are too long for a parameter
 */
export function recordDeployment(parts: PayhooksParts, settings: Settings): void {
  const deployment = stageDeployment(settings.name);
  const scopes = scopesOf(parts);
  const text = settingsJson({
    settings: deploymentSettings(settings),
    parts: Object.fromEntries(
      [...scopes].map(([part, scope]) => {
        const { stackName: stack, node } = Stack.of(scope);
        return [part, { stack, path: node.path }];
      }),
    ),
  });
  if (text.length > MAX_BYTES) {
    throw new Error(
      `the record of ${deployment} has ${text.length} characters, of ${MAX_BYTES} at most: shorten the names of its stacks and of what they are in`,
    );
  }
  new CfnParameter(parts.data, 'Settings', {
    name: recordName(deployment, 'settings'),
    description: 'How this deployment of Payhooks is set up, for its commands',
    type: 'String',
    value: text,
  });
  const values = valuesOf(parts, settings);
  for (const [part, scope] of scopes) {
    recordPart(scope, recordName(deployment, part), values[part] ?? {});
  }
}

function scopesOf({ loadLab, ...others }: PayhooksParts): ReadonlyMap<Part, Construct> {
  const scopes: Partial<Record<Part, Construct>> = { ...others, ...(loadLab && { 'load-lab': loadLab }) };
  return new Map(PARTS.flatMap((part) => (scopes[part] === undefined ? [] : [[part, scopes[part]]])));
}

/**
 * @param name of the parameter
 * @param values by names that are unique in the deployment; what is undefined is left out
 */
export function recordPart(scope: Construct, name: string, values: Values): void {
  const stack = Stack.of(scope);
  const parameter = new CfnParameter(scope, 'Record', {
    name,
    description: 'What this part of Payhooks consists of, for its commands',
    type: 'String',
    value: '',
  });
  const functions = scope.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  parameter.value = stack.toJsonString({
    prefix: stack.getLogicalId(parameter).replace(/Record([0-9A-F]{8})?$/, ''),
    values: Object.fromEntries(
      Object.entries(values).flatMap(([of, value]) => (value === undefined ? [] : [[of, value]])),
    ),
    functions: Object.fromEntries(
      functions.map(({ node, functionName, role }) => [
        node.id,
        { name: functionName, role: role?.roleName ?? '' },
      ]),
    ),
  } satisfies RecordedPart);
}

/** What commands have to know of a deployment. */
export function deploymentSettings(settings: Settings): DeploymentSettings {
  const { name, emulated, keepsData, customerManagedKey, tracing, shards, pollers, ...others } = settings;
  return {
    ...{ name, emulated, keepsData, customerManagedKey, tracing, shards },
    logRetentionDays: others.logRetention,
    metricNamespace: others.metricNamespace,
    concurrency: others.concurrency,
    ...(pollers === undefined ? {} : { pollers }),
    visibilityFactor: others.visibilityFactor,
    oldestRecordSeconds: others.oldestRecordAlarm.toSeconds(),
    deliveryPolicy: others.deliveryPolicy,
  };
}

/** Names, URLs and ARNs of what each part consists of. */
export function valuesOf(
  parts: PayhooksParts,
  settings: Settings,
): Readonly<Record<Part, Values | undefined>> {
  const { data, pipeline, api, observability, people, archive, loadLab } = parts;
  const { events, deliveries, retryTimers } = pipeline;
  return {
    data: {
      SubscriptionsTableName: data.subscriptions.tableName,
      SigningSecretsTableName: data.signingSecrets.tableName,
      SigningSecretsKeyArn: data.secretsKeyArn,
      DataKeyArn: data.dataKey?.keyArn,
      ApiTokensTableName: data.apiTokens.tableName,
      HistoryTableName: data.history.tableName,
      StatisticsTableName: data.statistics.tableName,
      OrderingKeysTableName: data.orderingKeys.tableName,
      SequencesTableName: data.sequences.tableName,
      IdempotencyTableName: data.idempotency.tableName,
      AuditTableName: data.audit.tableName,
    },
    pipeline: {
      BusName: pipeline.bus.eventBusName,
      EventsQueueUrl: events.queue.queueUrl,
      EventsDeadLettersUrl: events.deadLetters.queueUrl,
      DeliveriesQueueUrl: deliveries.queue.queueUrl,
      DeliveriesDeadLettersUrl: deliveries.deadLetters.queueUrl,
      RetryTimersUrl: retryTimers.queue.queueUrl,
      RetryTimersDeadLettersUrl: retryTimers.deadLetters.queueUrl,
      StatisticsDeadLettersUrl: pipeline.outcomes.deadLetters.queueUrl,
      UnclaimedEventsUrl: pipeline.unclaimed.queue.queueUrl,
      RuleDeadLettersUrl: pipeline.rules.deadLetters.queueUrl,
      PublisherRoleArn: pipeline.publisherRole?.roleArn,
      ...Object.fromEntries(
        pipeline.fixedAddresses.map((address, index) => [`FixedAddress${index + 1}`, address]),
      ),
    },
    archive: archive && {
      ArchiveBucketName: archive.bucket.bucketName,
      ArchiveDeadLettersUrl: archive.changes.deadLetters.queueUrl,
      WorkGroupName: archive.workGroupName,
      DatabaseName: archive.catalogue.databaseName,
    },
    api: {
      ApiUrl: api.url,
      HttpApiId: api.httpApi.apiId,
      SyntheticReceiverUrl: api.syntheticReceiverUrl,
      DoctorFunctionName: api.doctor.functionName,
      OnCallLinkFunctionName: api.stageLinks['on-call'].functionName,
      AnalystLinkFunctionName: api.stageLinks.analyst.functionName,
      NoticesDeadLettersUrl: api.notices?.deadLetters.queueUrl,
    },
    'load-lab': loadLab && {
      ReceiverUrl: loadLab.receiverUrl,
      ReceiverTableName: loadLab.receipts.tableName,
      ReceiverFunctionName: loadLab.receiver.functionName,
      EmptySinkLogGroupName: loadLab.empty.sink.logGroup.logGroupName,
    },
    observability: {
      AlarmNamePrefix: alarmNamePrefix(settings),
      UrgentAlarmTopicArn: observability.topics.urgent.topicArn,
      RoutineAlarmTopicArn: observability.topics.routine.topicArn,
    },
    people: {
      SavedQueryPrefix: people.savedQueryPrefix,
      AnalystRoleArn: people.analyst.roleArn,
      OnCallRoleArn: people.onCall.roleArn,
      OperatorRoleArn: people.operator.roleArn,
      ErasureRoleArn: people.eraser.roleArn,
    },
  };
}
