import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, type TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

interface RunbookAlarmProps {
  /** Stable name, kebab-case: the heading of its section in docs/operations.md. */
  readonly name: string;
  /** One sentence: what is wrong when it goes off. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** Goes off above this, or below it where `goesOff` says so. */
  readonly threshold: number;
  /** @default 'above' */
  readonly goesOff?: 'above' | 'below';
  /** @default 1 */
  readonly evaluationPeriods?: number;
  /** What it means when nothing was measured. */
  readonly missingData: { readonly treatedAs: TreatMissingData; readonly because: string };
  readonly topic: ITopic;
}

/** An alarm as a document: what it means, why silence means what it means, and where to read on. */
export function runbookAlarm(scope: Construct, id: string, props: RunbookAlarmProps): Alarm {
  const alarm = new Alarm(scope, id, {
    alarmName: `${Stack.of(scope).stackName}-${props.name}`,
    alarmDescription: [
      props.meaning,
      `Missing data: ${props.missingData.because}`,
      `Runbook: docs/operations.md#${props.name}`,
    ].join('\n'),
    metric: props.metric,
    threshold: props.threshold,
    comparisonOperator:
      props.goesOff === 'below'
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: props.evaluationPeriods ?? 1,
    treatMissingData: props.missingData.treatedAs,
  });
  const notify = new SnsAction(props.topic);
  alarm.addAlarmAction(notify);
  alarm.addOkAction(notify);
  return alarm;
}
