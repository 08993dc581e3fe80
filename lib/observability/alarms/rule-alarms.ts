import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { busNameOf } from '../../stacks/data-stack.ts';
import type { Stage } from '../../stage.ts';
import { RULE_METRICS, sumOverRules } from '../rule-queries.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Events that EventBridge could not send. They are in no queue, so no alarm on queues sees them. */
export function ruleAlarms(addAlarm: AddAlarm, stage: Pick<Stage, 'name'>): void {
  const overAllRules = (metricName: string) =>
    new MathExpression({
      expression: sumOverRules(metricName, busNameOf(stage)),
      label: metricName,
      period: Duration.minutes(1),
    });
  const noDataBecause = 'EventBridge emits these metrics only for failures.';
  addAlarm({
    name: 'events-lost',
    severity: 'urgent',
    meaning:
      'EventBridge could send an event neither to the events queue nor to the dead-letter queue: it is lost.',
    metric: overAllRules(RULE_METRICS.lost),
    noDataBecause,
  });
  addAlarm({
    name: 'rule-failures',
    severity: 'urgent',
    section: 'rule-dead-letters',
    meaning: 'EventBridge gave up sending an event to the events queue.',
    metric: overAllRules(RULE_METRICS.failed),
    noDataBecause,
  });
}
