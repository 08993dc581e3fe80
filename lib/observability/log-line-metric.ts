import type { MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';

interface LogLineMetricProps {
  /** Prefix of the filters' ids; the function's short name follows. */
  readonly id: string;
  readonly pattern: IFilterPattern;
  readonly metricName: string;
  readonly metricNamespace: string;
}

/** One metric that counts matching log lines of several functions. */
export function logLineMetric(
  scope: Construct,
  functions: readonly ServiceFunction[],
  { id, pattern, metricName, metricNamespace }: LogLineMetricProps,
  options: MetricOptions,
): Metric {
  for (const { shortName, logGroup } of functions) {
    new MetricFilter(scope, `${id}-${shortName}`, {
      logGroup: logGroup as ILogGroup,
      filterPattern: pattern,
      metricNamespace,
      metricName,
      metricValue: '1',
    });
  }
  return new Metric({ namespace: metricNamespace, metricName, ...options });
}
