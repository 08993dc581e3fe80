import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { runbookAlarm } from '../constructs/runbook-alarm.ts';
import type { Stage } from '../stages.ts';
import type { ApiStack } from './api-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface ObservabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly pipeline: PipelineStack;
  readonly api: ApiStack;
}

/** Alarms on everything of ours that can go wrong, and the topic that they go to. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { stage, pipeline, api } = props;
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    // A policy of our own, as enforceSSL makes one, takes the place of the default that lets this account's alarms in.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (stage.alarmEmail !== undefined) {
      topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    }
    const eachMinute = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };
    const silent = {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'SQS stops measuring a queue that has been empty and unused for six hours.',
    };
    const notEmpty = (name: string, queue: Queue, meaning: string) =>
      runbookAlarm(this, name, {
        name,
        meaning,
        metric: queue.metricApproximateNumberOfMessagesVisible(eachMinute),
        threshold: 0,
        missingData: silent,
        topic,
      });
    const tooOld = (name: string, queue: Queue, meaning: string) =>
      runbookAlarm(this, name, {
        name,
        meaning,
        metric: queue.metricApproximateAgeOfOldestMessage(eachMinute),
        threshold: stage.oldestRecordAlarm.toSeconds(),
        evaluationPeriods: 2,
        missingData: silent,
        topic,
      });

    notEmpty(
      'rule-dead-letters',
      pipeline.rules.deadLetters,
      'EventBridge could not put an event on the events queue.',
    );
    notEmpty(
      'events-dead-letters',
      pipeline.events.deadLetters,
      'An event could not be used, or could not be matched after many tries.',
    );
    notEmpty(
      'deliveries-dead-letters',
      pipeline.deliveries.deadLetters,
      'A message could not be handled after many tries.',
    );
    tooOld(
      'events-oldest',
      pipeline.events.queue,
      'Events wait for match: it fails, is throttled or too few.',
    );
    tooOld(
      'deliveries-oldest',
      pipeline.deliveries.queue,
      'Messages wait for deliver: it fails, is throttled or too few.',
    );
    runbookAlarm(this, 'api-faults', {
      name: 'api-faults',
      meaning: 'Partners are answered with 5xx: the api or the authorizer fails.',
      metric: api.httpApi.metricServerError({ period: Duration.minutes(5), statistic: Stats.SUM }),
      threshold: 3,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'API Gateway measures nothing while nobody calls.',
      },
      topic,
    });
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
  }
}
