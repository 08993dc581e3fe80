import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { METRIC, METRIC_NAMESPACE } from '../../functions/shared/metric-names.ts';
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
    const tooOld = (name: string, queue: Queue, meaning: string, delay = Duration.seconds(0)) =>
      runbookAlarm(this, name, {
        name,
        meaning,
        metric: queue.metricApproximateAgeOfOldestMessage(eachMinute),
        threshold: stage.oldestRecordAlarm.plus(delay).toSeconds(),
        evaluationPeriods: 2,
        missingData: silent,
        topic,
      });

    const ours = (service: string, metricName: string) =>
      new Metric({
        namespace: METRIC_NAMESPACE,
        metricName,
        dimensionsMap: { service },
        period: Duration.minutes(5),
        statistic: Stats.SUM,
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
    notEmpty(
      'retry-timers-dead-letters',
      pipeline.retryTimers.deadLetters,
      'A timer could not be set off in many tries: wake fails.',
    );
    notEmpty(
      'tally-dead-letters',
      pipeline.outcomes.deadLetters,
      'What became of some messages could not be counted: the statistics of partners lack it.',
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
    tooOld(
      'retry-timers-oldest',
      pipeline.retryTimers.queue,
      'Timers wait for wake: it fails, is throttled or too few.',
      // SQS may count a record's age from when it was sent, and this one was sent to wait.
      Duration.millis(stage.deliveryPolicy.longestTimerMs),
    );
    runbookAlarm(this, 'sweep-missing', {
      name: 'sweep-missing',
      meaning:
        'No sweep has got through all that is overdue: what is far away or was forgotten stays where it is.',
      metric: ours('sweep', METRIC.swept),
      threshold: 1,
      goesOff: 'below',
      evaluationPeriods: 2,
      missingData: {
        treatedAs: TreatMissingData.BREACHING,
        because: 'sweep runs each minute, whatever happens; silence means that it does not.',
      },
      topic,
    });
    runbookAlarm(this, 'sweep-faults', {
      name: 'sweep-faults',
      meaning: 'Sweep finds keys or circuits again and again that it cannot see to.',
      metric: ours('sweep', METRIC.sweepFault),
      threshold: 0,
      evaluationPeriods: 3,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'a sweep without a fault counts none; that it runs at all is watched by sweep-missing.',
      },
      topic,
    });
    runbookAlarm(this, 'keys-faulted', {
      name: 'keys-faulted',
      meaning:
        'Messages of a payment wait for an operator: something of ours keeps the first of them from being sent.',
      metric: ours('deliver', METRIC.keyFaulted),
      threshold: 0,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because:
          'a key is counted once, when it comes into this state; the alarm ends after five minutes though it still waits.',
      },
      topic,
    });
    runbookAlarm(this, 'audit-lost', {
      name: 'audit-lost',
      meaning: 'A partner has changed something, and the audit trail does not have it: only the log does.',
      metric: ours('api', METRIC.auditLost),
      threshold: 0,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'a change that is kept counts nothing.',
      },
      topic,
    });
    runbookAlarm(this, 'requests-uncounted', {
      name: 'requests-uncounted',
      meaning: 'Requests of partners pass without being counted: the limits of their tokens do not hold.',
      metric: ours('authorize', METRIC.requestUncounted),
      // Now and then a token is used by many at once, and one of them is let pass.
      threshold: 100,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'a request that is counted says nothing.',
      },
      topic,
    });
    runbookAlarm(this, 'tally-behind', {
      name: 'tally-behind',
      meaning: 'The statistics of partners are an hour behind: tally fails, is throttled or too slow.',
      metric: pipeline.tally.metric('IteratorAge', {
        period: Duration.minutes(5),
        statistic: Stats.MAXIMUM,
      }),
      threshold: Duration.hours(1).toMilliseconds(),
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'Lambda measures nothing while no message changes.',
      },
      topic,
    });
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
