import {
  GraphWidget,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { axis, type Watched } from './watched.ts';

/** A Logs Insights query of deliver's log: the ten subscriptions with the most failed attempts. */
export const FAILING_SUBSCRIPTIONS = [
  'filter message = "delivery.attempted" and outcome != "delivered"',
  'stats count(*) as failed_attempts, count_distinct(payment_id) as payments, latest(outcome) as last_outcome, latest(status_code) as last_status, max(@timestamp) as last_at by service_id, subscription_id',
  'sort failed_attempts desc',
  'limit 10',
];

/** Who is failing? */
export function whoFails({ pipeline, ourMetric }: Watched): IWidget[] {
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
        ofDeliver(METRIC.orderingKeyStuck, 'payments that got stuck'),
      ],
      leftYAxis: axis('in five minutes'),
      width: 8,
    }),
  ];
}
