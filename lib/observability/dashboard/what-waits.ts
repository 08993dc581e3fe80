import { GraphWidget, type IWidget, MathExpression, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { MAX_OF_A_MINUTE } from '../our-metric.ts';
import { axis, type Watched } from './watched.ts';

/** What waits where? */
export function whatWaits({ pipeline, ourMetric }: Watched): IWidget[] {
  const { events, deliveries, retryTimers, rules, outcomes } = pipeline;
  // Sweep emits them only while they are not 0.
  const measured = (metricName: string, label: string) =>
    new MathExpression({
      expression: `FILL(${idOf(metricName)}, 0)`,
      usingMetrics: { [idOf(metricName)]: ourMetric('sweep', metricName, MAX_OF_A_MINUTE) },
      label,
      period: MAX_OF_A_MINUTE.period,
    });
  const ofMatch = (metricName: string, label: string) => ourMetric('match', metricName).with({ label });
  const deadLetters = [rules, events, deliveries, retryTimers, outcomes].map(({ deadLetters, node }) =>
    deadLetters.metricApproximateNumberOfMessagesVisible(MAX_OF_A_MINUTE).with({ label: node.id }),
  );
  return [
    new GraphWidget({
      title: 'Queues: waiting and in flight',
      left: [events, deliveries, retryTimers].flatMap(({ queue, node }) => [
        queue.metricApproximateNumberOfMessagesVisible(MAX_OF_A_MINUTE).with({ label: `${node.id} waiting` }),
        queue
          .metricApproximateNumberOfMessagesNotVisible(MAX_OF_A_MINUTE)
          .with({ label: `${node.id} in flight` }),
      ]),
      leftYAxis: axis('records'),
      width: 6,
    }),
    new GraphWidget({
      title: 'Blocked payments and circuits',
      left: [
        measured(METRIC.waitingOrderingKeys, 'blocked payments waiting for a retry (counted up to 10,000)'),
        measured(METRIC.messagesBehindCircuits, 'messages waiting for a circuit'),
      ],
      leftYAxis: axis('payments, messages'),
      right: [
        measured(METRIC.openCircuits, 'open circuits'),
        measured(METRIC.drainingCircuits, 'draining circuits'),
      ],
      rightYAxis: axis('circuits'),
      width: 6,
    }),
    new GraphWidget({
      title: 'Oldest payment in a backlog',
      left: [measured(METRIC.oldestInBacklog, 'oldest in a backlog')],
      leftYAxis: axis('s'),
      width: 6,
    }),
    // No alarm: what is in order again, or was given up, leaves nothing to do here but to tell the publisher.
    new GraphWidget({
      title: 'Order in which events come',
      left: [
        ofMatch(METRIC.eventEarly, 'early: waited for their turn'),
        ofMatch(METRIC.sequenceGap, 'continued without the one before'),
        ofMatch(METRIC.eventLate, 'late'),
        ofMatch(METRIC.eventInverted, 'without a number, behind one that happened later'),
      ],
      leftYAxis: axis('events in five minutes'),
      width: 6,
    }),
    new SingleValueWidget({
      title: 'Dead letters, in records',
      metrics: deadLetters,
      width: 18,
      height: 3,
    }),
    new SingleValueWidget({
      title: 'Stuck payments',
      metrics: [measured(METRIC.stuckOrderingKeys, 'payments that need an operator')],
      width: 6,
      height: 3,
    }),
  ];
}

/** Metric math ids must start with a lower-case letter. */
function idOf(metricName: string): string {
  return metricName.charAt(0).toLowerCase() + metricName.slice(1);
}
