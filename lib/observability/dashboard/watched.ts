import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Pipeline } from '../../parts/pipeline.ts';
import type { Settings } from '../../settings.ts';
import type { Severity } from '../alarm-topics.ts';
import type { OurMetric } from '../our-metric.ts';

/** What the dashboard shows. */
export interface Watched {
  readonly settings: Settings;
  readonly pipeline: Pipeline;
  readonly ourMetric: OurMetric;
  readonly functions: readonly ServiceFunction[];
  readonly tables: readonly Table[];
  readonly alarms: Readonly<Record<Severity, readonly IAlarm[]>>;
}

/** An axis that begins at 0, with its own words for the unit. */
export const axis = (label: string) => ({ label, showUnits: false, min: 0 });
