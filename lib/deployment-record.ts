import { Stack } from 'aws-cdk-lib';
import { CfnEIP } from 'aws-cdk-lib/aws-ec2';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { ServiceFunction } from './constructs/functions/service-function.ts';
import { PublisherRole } from './constructs/publisher-role.ts';
import { alarmNamePrefix } from './observability/alarms/runbook-alarm.ts';
import {
  DEPLOYMENT_NAME,
  type DeploymentSettings,
  PARTS,
  type Part,
  type RecordedPart,
  recordName,
  settingsJson,
} from './recorded-deployment.ts';
import type { ApiStack } from './stacks/api-stack.ts';
import type { ArchiveStack } from './stacks/archive-stack.ts';
import type { DataStack } from './stacks/data-stack.ts';
import type { LoadLabStack } from './stacks/load-lab-stack.ts';
import type { ObservabilityStack } from './stacks/observability-stack.ts';
import type { PeopleStack } from './stacks/people-stack.ts';
import type { PipelineStack } from './stacks/pipeline-stack.ts';
import type { Stage } from './stage.ts';

/** Of a parameter of the tier that costs nothing. Source: "Managing parameter tiers", AWS Systems Manager. */
const MAX_BYTES = 4_096;

export interface DeployedParts {
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
  readonly api: ApiStack;
  readonly observability: ObservabilityStack;
  readonly people: PeopleStack;
  readonly archive?: ArchiveStack;
  readonly loadLab?: LoadLabStack;
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Writes down what commands need to find a deployment by its name, in parameters of SSM. Each part writes its
 * own in its own stack: no stack has to export anything for it, and what is deployed half-way is found as
 * far as it is there.
 *
 * @param deployment unique in the account and region
 * @throws when the name cannot be part of a parameter's name, or the stacks' names are too long for one
 */
export function recordDeployment(parts: DeployedParts, deployment: string, stage: Stage): void {
  if (!DEPLOYMENT_NAME.test(deployment)) {
    throw new Error(
      `a deployment cannot be called ${JSON.stringify(deployment)}: use 1 to 128 letters, digits, ".", "_" and "-"`,
    );
  }
  const scopes = scopesOf(parts);
  const text = settingsJson({
    settings: settingsOf(stage),
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
  const values = valuesOf(parts, stage);
  for (const [part, scope] of scopes) {
    recordPart(scope, recordName(deployment, part), values[part]);
  }
}

function scopesOf({ loadLab, ...others }: DeployedParts): ReadonlyMap<Part, Construct> {
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

/** What commands have to know of a stage once it is deployed. */
export function settingsOf(stage: Stage): DeploymentSettings {
  const { name, emulated, keepsData, customerManagedKey, tracing, shards, pollers, ...others } = stage;
  return {
    ...{ name, emulated, keepsData, customerManagedKey, tracing, shards },
    logRetentionDays: RetentionDays[others.logRetention] as number,
    concurrency: others.concurrency,
    ...(pollers === undefined ? {} : { pollers }),
    visibilityFactor: others.visibilityFactor,
    oldestRecordSeconds: others.oldestRecordAlarm.toSeconds(),
    deliveryPolicy: others.deliveryPolicy,
  };
}

function valuesOf(parts: DeployedParts, stage: Stage): Readonly<Record<Part, Values>> {
  const { data, pipeline, api, observability, people, archive, loadLab } = parts;
  const { events, deliveries, retryTimers } = pipeline;
  const [publisher] = pipeline.node.findAll().filter((construct) => construct instanceof PublisherRole);
  const addresses = pipeline.node.findAll().filter((construct) => construct instanceof CfnEIP);
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
      PublisherRoleArn: publisher?.roleArn,
      ...Object.fromEntries(
        addresses.map(({ attrPublicIp }, index) => [`FixedAddress${index + 1}`, attrPublicIp]),
      ),
    },
    archive: {
      ArchiveBucketName: archive?.bucketName,
      ArchiveDeadLettersUrl: archive?.changes.deadLetters.queueUrl,
      WorkGroupName: archive?.workGroupName,
      DatabaseName: archive?.databaseName,
    },
    api: {
      ApiUrl: api.url,
      HttpApiId: api.httpApi.apiId,
      SyntheticReceiverUrl: api.syntheticReceiverUrl,
      DoctorFunctionName: api.doctor.functionName,
      OnCallLinkFunctionName: api.stageLinks['on-call'].functionName,
      AnalystLinkFunctionName: api.stageLinks.analyst.functionName,
    },
    'load-lab': {
      ReceiverUrl: loadLab?.receiverUrl,
      ReceiverTableName: loadLab?.receipts.tableName,
      ReceiverFunctionName: loadLab?.receiver.functionName,
      EmptySinkLogGroupName: loadLab?.empty.sink.logGroup.logGroupName,
    },
    observability: {
      AlarmNamePrefix: alarmNamePrefix(stage),
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
