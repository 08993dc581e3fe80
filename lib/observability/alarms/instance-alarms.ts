import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * Batches that found no room on the stage's instances. Instances scale while traffic grows, not before: when
 * it more than doubles within five minutes, batches may be throttled. Source: "Scaling Lambda Managed
 * Instances", AWS Lambda Developer Guide.
 */
export function instanceAlarms(addAlarm: AddAlarm, { match, deliver }: PipelineStack): void {
  const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };
  addAlarm({
    name: 'instances-throttled',
    severity: 'routine',
    meaning:
      'Batches of match or deliver find no room on their instances: traffic grows faster than they scale, or they are at their maximum.',
    metric: new MathExpression({
      // A function that is not invoked has no data; the other one still counts.
      expression: 'FILL(match, 0) + FILL(deliver, 0)',
      usingMetrics: {
        match: match.metricThrottles(inFiveMinutes),
        deliver: deliver.metricThrottles(inFiveMinutes),
      },
      label: 'Throttles of match and deliver',
      period: inFiveMinutes.period,
    }),
    // They may scale enough within the first five minutes.
    evaluationPeriods: 2,
    noDataBecause: 'Lambda emits nothing while neither function is invoked.',
  });
}
