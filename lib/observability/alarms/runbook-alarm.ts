import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
import type { Severity } from '../alarm-topics.ts';
import type { OurMetric } from '../our-metric.ts';

interface RunbookAlarmProps {
  readonly settings: Pick<Settings, 'name'>;
  /** Stable name, kebab-case. */
  readonly name: string;
  /** Whether it has to wake somebody up. */
  readonly severity: Severity;
  /** Heading of its section in docs/operations.md. @default - its name */
  readonly section?: string;
  /** One sentence: what is wrong when the alarm goes off. */
  readonly meaning: string;
  readonly metric: IMetric;
  /**
   * The alarm goes off above this, or below it if `goesOff` says so. For what is unusual, the width of the
   * usual band in standard deviations. @default 0
   */
  readonly threshold?: number;
  /** @default 'above' */
  readonly goesOff?: 'above' | 'below' | 'unusually low';
  /** @default 1 */
  readonly evaluationPeriods?: number;
  /** In how many of these periods. @default - in all */
  readonly datapointsToAlarm?: number;
  /** Why there may be no data. */
  readonly noDataBecause: string;
  /** Whether it goes off without data, too. @default false */
  readonly goesOffWithoutData?: boolean;
  readonly topic: ITopic;
}

/** How descriptions begin. */
const SPOKEN: Readonly<Record<Severity, string>> = { urgent: 'Urgent', routine: 'Can wait' };

/** How the names of all alarms of a deployment begin, and of no other's. */
export function alarmNamePrefix(settings: Pick<Settings, 'name'>): string {
  return `payhooks-${settings.name}-observability-`;
}

/**
 * An alarm that documents itself: what it means, why missing data means what it means, and its runbook
 * section.
 */
export function runbookAlarm(scope: Construct, props: RunbookAlarmProps): Alarm {
  const common = {
    alarmName: `${alarmNamePrefix(props.settings)}${props.name}`,
    alarmDescription: [
      `${SPOKEN[props.severity]}: ${props.meaning}`,
      `Missing data: ${props.noDataBecause}`,
      `Runbook: docs/operations.md#${props.section ?? props.name}`,
    ].join('\n'),
    metric: props.metric,
    evaluationPeriods: props.evaluationPeriods ?? 1,
    ...(props.datapointsToAlarm === undefined ? {} : { datapointsToAlarm: props.datapointsToAlarm }),
    treatMissingData: props.goesOffWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  };
  const threshold = props.threshold ?? 0;
  const alarm =
    props.goesOff === 'unusually low'
      ? new AnomalyDetectionAlarm(scope, props.name, {
          ...common,
          stdDevs: threshold,
          comparisonOperator: ComparisonOperator.LESS_THAN_LOWER_THRESHOLD,
        })
      : new Alarm(scope, props.name, {
          ...common,
          threshold,
          comparisonOperator:
            props.goesOff === 'below'
              ? ComparisonOperator.LESS_THAN_THRESHOLD
              : ComparisonOperator.GREATER_THAN_THRESHOLD,
        });
  const notify = new SnsAction(props.topic);
  alarm.addAlarmAction(notify);
  alarm.addOkAction(notify);
  return alarm;
}

/** What alarms are made with. */
export interface Alarming {
  /** Adds an alarm that notifies the topic of its severity. */
  addAlarm(props: Omit<RunbookAlarmProps, 'settings' | 'topic'>): void;
  readonly ourMetric: OurMetric;
}
