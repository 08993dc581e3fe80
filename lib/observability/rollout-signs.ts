import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../functions/shared/metric-names.ts';
import { SIGN_PERIOD, type Sign } from '../constructs/gradual-rollout.ts';
import type { ApiStack } from '../stacks/api-stack.ts';
import type { PipelineStack } from '../stacks/pipeline-stack.ts';
import type { Stage } from '../stages.ts';
import { ourMetric } from './our-metric.ts';

/** Of a fault that a moment brought about there are a few; of one that a version brought along there are many. */
const FEW = 5;

const sum = { period: SIGN_PERIOD, statistic: Stats.SUM };

/** What shows that a new version of one of the pipeline's functions does not do its work, though it does not fail. */
export function pipelineSigns(
  { events, deliveries }: Pick<PipelineStack, 'events' | 'deliveries'>,
  { lateAlarm }: Pick<Stage, 'lateAlarm'>,
): Sign[] {
  return [
    {
      name: 'events-buried',
      meaning: 'Many events are put aside as unusable.',
      // What SQS itself moves there, after 100 receptions, does not count as sent.
      metric: events.deadLetters.metricNumberOfMessagesSent(sum),
      most: FEW,
    },
    {
      name: 'deliveries-buried',
      meaning: 'Many messages are put aside as unreadable.',
      metric: deliveries.deadLetters.metricNumberOfMessagesSent(sum),
      most: FEW,
    },
    counted('delivery-faults', 'deliver', METRIC.deliveryFault, 'Many payments meet a fault of ours.', FEW),
    counted('keys-faulted', 'deliver', METRIC.keyFaulted, 'Payments wait for an operator.', 0),
    counted('timer-faults', 'wake', METRIC.timerFault, 'Many timers meet a fault of ours.', FEW),
    counted('sweep-faults', 'sweep', METRIC.sweepFault, 'Sweep cannot see to many of what is due.', FEW),
    counted('changes-unread', 'tally', METRIC.tallyUnreadable, 'Many changes cannot be counted.', FEW),
    {
      name: 'messages-late',
      meaning: 'Messages start late on average.',
      metric: ourMetric('deliver', METRIC.timeToSend, { period: SIGN_PERIOD, statistic: Stats.AVERAGE }),
      most: lateAlarm.average.toMilliseconds(),
    },
  ];
}

/** What shows that a new version of one of the API's functions answers, but not as it should. */
export function apiSigns({ httpApi }: Pick<ApiStack, 'httpApi'>): Sign[] {
  return [
    {
      name: 'server-errors',
      meaning: 'Partners are answered with 5xx.',
      metric: httpApi.metricServerError(sum),
      most: FEW,
    },
    counted('audit-lost', 'api', METRIC.auditLost, 'Changes are not in the audit trail.', 0),
    counted(
      'requests-uncounted',
      'authorize',
      METRIC.requestUncounted,
      'Requests are not counted.',
      FEW * 10,
    ),
  ];
}

function counted(name: string, service: string, metricName: string, meaning: string, most: number): Sign {
  return { name, meaning, metric: ourMetric(service, metricName, { period: SIGN_PERIOD }), most };
}
