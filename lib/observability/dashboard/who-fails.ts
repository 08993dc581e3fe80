import {
  GraphWidget,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { ourMetric } from '../our-metric.ts';
import { FAILING_SUBSCRIPTIONS } from './failing-subscriptions.ts';
import type { Watched } from './watched.ts';

/** Who is failing? */
export function whoFails({ pipeline }: Watched): IWidget[] {
  const ofDeliver = (metricName: string, label: string) => ourMetric('deliver', metricName).with({ label });
  return [
    new LogQueryWidget({
      title: 'Ten subscriptions with the most failed attempts',
      logGroupNames: [pipeline.deliver.logGroup.logGroupName],
      queryLines: FAILING_SUBSCRIPTIONS,
      view: LogQueryVisualizationType.TABLE,
      width: 16,
    }),
    new GraphWidget({
      title: 'Consequences of failures',
      left: [
        ofDeliver(METRIC.circuitTripped, 'circuits opened'),
        ofDeliver(METRIC.subscriptionDisabled, 'subscriptions disabled'),
        ofDeliver(METRIC.messageExhausted, 'messages exhausted'),
        ofDeliver(METRIC.keyFaulted, 'payments that got stuck'),
      ],
      leftYAxis: { label: 'in five minutes', showUnits: false, min: 0 },
      width: 8,
    }),
  ];
}
