import type { MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../functions/telemetry/metric-names.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';

interface CountedLines {
  /** Of the filters, each followed by its function's short name. */
  readonly id: string;
  readonly pattern: IFilterPattern;
  readonly metricName: string;
}

/** One metric of the lines of several functions: each filter adds one to it for each line. */
export function linesCounted(
  scope: Construct,
  functions: readonly ServiceFunction[],
  { id, pattern, metricName }: CountedLines,
  options: MetricOptions,
): Metric {
  for (const { shortName, logGroup } of functions) {
    new MetricFilter(scope, `${id}-${shortName}`, {
      logGroup: logGroup as ILogGroup,
      filterPattern: pattern,
      metricNamespace: METRIC_NAMESPACE,
      metricName,
      metricValue: '1',
    });
  }
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, ...options });
}
