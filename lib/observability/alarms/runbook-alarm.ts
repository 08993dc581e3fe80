import { Alarm, ComparisonOperator, type IMetric, type TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';

interface RunbookAlarmProps {
  readonly stage: Pick<Stage, 'name'>;
  /** Stable name, kebab-case. */
  readonly name: string;
  /** Heading of its section in docs/operations.md. @default - its name */
  readonly section?: string;
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

/** Known without the alarm: whoever deploys before the alarms are there has to name them. */
export function alarmNameOf(stage: Pick<Stage, 'name'>, name: string): string {
  return `payhooks-${stage.name}-observability-${name}`;
}

/** An alarm as a document: what it means, why silence means what it means, and where to read on. */
export function runbookAlarm(scope: Construct, props: RunbookAlarmProps): Alarm {
  const alarm = new Alarm(scope, props.name, {
    alarmName: alarmNameOf(props.stage, props.name),
    alarmDescription: [
      props.meaning,
      `Missing data: ${props.missingData.because}`,
      `Runbook: docs/operations.md#${props.section ?? props.name}`,
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

/** Adds an alarm of a stage that goes to its topic. */
export type AddAlarm = (props: Omit<RunbookAlarmProps, 'stage' | 'topic'>) => Alarm;
