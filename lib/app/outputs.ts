import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Payhooks } from '../payhooks.ts';

type Outputs = Readonly<Record<string, string | undefined>>;

/** What commands and tests need to know of a stage, by part. */
export function outputsOf({ parts, alarmTopics, apiUrl, bus }: Payhooks) {
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
export function addOutputs(payhooks: Payhooks, stacks: Readonly<Record<string, Stack | undefined>>): void {
  for (const [part, outputs] of Object.entries<Outputs | undefined>(outputsOf(payhooks))) {
    const stack = stacks[part];
    for (const [name, value] of Object.entries(outputs ?? {})) {
      if (stack !== undefined && value !== undefined) {
        new CfnOutput(stack, name, { value });
      }
    }
  }
}
