import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * Batches that found no room on the instances of the stage. These grow while traffic does, not before: what more than doubles within five minutes may be turned away.
 * Source: "Scaling Lambda Managed Instances", AWS Lambda Developer Guide.
 */
export function instanceAlarms(addAlarm: AddAlarm, { match, deliver }: PipelineStack): void {
  const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };
  addAlarm({
    name: 'instances-throttled',
    meaning:
      'Batches of match or deliver find no room on their instances: traffic grows faster than these, or they may grow no more.',
    metric: new MathExpression({
      // Whoever is not invoked has no figure, and the other one's still counts.
      expression: 'FILL(match, 0) + FILL(deliver, 0)',
      usingMetrics: {
        match: match.metricThrottles(inFiveMinutes),
        deliver: deliver.metricThrottles(inFiveMinutes),
      },
      label: 'Throttles of match and deliver',
      period: inFiveMinutes.period,
    }),
    threshold: 0,
    // Within the first five minutes they may have grown enough.
    evaluationPeriods: 2,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'Lambda measures nothing while neither function is invoked.',
    },
  });
}
