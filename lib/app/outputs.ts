import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Api } from '../parts/api.ts';
import type { Archive } from '../parts/archive.ts';
import type { Data } from '../parts/data.ts';
import type { LoadLab } from '../parts/load-lab.ts';
import type { People } from '../parts/people.ts';
import type { Pipeline } from '../parts/pipeline.ts';

/** A `Payhooks`, which imports this file. */
interface Made {
  readonly parts: {
    readonly data: Data;
    readonly pipeline: Pipeline;
    readonly archive?: Archive;
    readonly api: Api;
    readonly loadLab?: LoadLab;
    readonly people: People;
  };
  readonly alarmTopics: Readonly<Record<'urgent' | 'routine', ITopic>>;
  readonly apiUrl: string;
  readonly bus: IEventBus;
}

type Outputs = Readonly<Record<string, string | undefined>>;

/** What commands and tests need to know of a stage, by part. */
export function outputsOf({ parts, alarmTopics, apiUrl, bus }: Made) {
  const { data, pipeline, archive, api, loadLab, people } = parts;
  const { events, deliveries, retryTimers } = pipeline;
  return {
    data: {
      SubscriptionsTableName: data.subscriptions.tableName,
      SigningSecretsTableName: data.signingSecrets.tableName,
      SigningSecretsKeyArn: data.secretsKeyArn,
      ApiTokensTableName: data.apiTokens.tableName,
      HistoryTableName: data.history.tableName,
      StatisticsTableName: data.statistics.tableName,
      OrderingKeysTableName: data.orderingKeys.tableName,
      SequencesTableName: data.sequences.tableName,
      IdempotencyTableName: data.idempotency.tableName,
      AuditTableName: data.audit.tableName,
    },
    pipeline: {
      ...Object.fromEntries(
        pipeline.fixedAddresses.map((address, index) => [`FixedAddress${index + 1}`, address]),
      ),
      PublisherRoleArn: pipeline.publisherRole?.roleArn,
      BusName: bus.eventBusName,
      EventsQueueUrl: events.queue.queueUrl,
      EventsDeadLettersUrl: events.deadLetters.queueUrl,
      DeliveriesQueueUrl: deliveries.queue.queueUrl,
      DeliveriesDeadLettersUrl: deliveries.deadLetters.queueUrl,
      RetryTimersUrl: retryTimers.queue.queueUrl,
      RetryTimersDeadLettersUrl: retryTimers.deadLetters.queueUrl,
      StatisticsDeadLettersUrl: pipeline.outcomes.deadLetters.queueUrl,
      UnclaimedEventsUrl: pipeline.unclaimed.queue.queueUrl,
      RuleDeadLettersUrl: pipeline.rules.deadLetters.queueUrl,
    },
    archive: archive && {
      ArchiveBucketName: archive.bucket.bucketName,
      ArchiveDeadLettersUrl: archive.changes.deadLetters.queueUrl,
      WorkGroupName: archive.workGroupName,
      DatabaseName: archive.catalogue.databaseName,
    },
    api: {
      SyntheticReceiverUrl: api.syntheticReceiverUrl,
      DoctorFunctionName: api.doctor.functionName,
      OnCallLinkFunctionName: api.stageLinks['on-call'].functionName,
      AnalystLinkFunctionName: api.stageLinks.analyst.functionName,
      ApiUrl: apiUrl,
    },
    loadLab: loadLab && {
      ReceiverUrl: loadLab.receiverUrl,
      ReceiverTableName: loadLab.receipts.tableName,
      ReceiverFunctionName: loadLab.receiver.functionName,
      EmptySinkLogGroupName: loadLab.empty.sink.logGroup.logGroupName,
    },
    observability: {
      UrgentAlarmTopicArn: alarmTopics.urgent.topicArn,
      RoutineAlarmTopicArn: alarmTopics.routine.topicArn,
    },
    people: {
      AnalystRoleArn: people.analyst.roleArn,
      OnCallRoleArn: people.onCall.roleArn,
      OperatorRoleArn: people.operator.roleArn,
      ErasureRoleArn: people.eraser.roleArn,
    },
  } as const satisfies Readonly<Record<string, Outputs | undefined>>;
}

/** Gives the stack of each part its outputs. */
export function addOutputs(payhooks: Made, stacks: Readonly<Record<string, Stack | undefined>>): void {
  for (const [part, outputs] of Object.entries<Outputs | undefined>(outputsOf(payhooks))) {
    const stack = stacks[part];
    for (const [name, value] of Object.entries(outputs ?? {})) {
      if (stack !== undefined && value !== undefined) {
        new CfnOutput(stack, name, { value });
      }
    }
  }
}
