import { Duration } from 'aws-cdk-lib';
import { MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { busNameOf } from '../../stacks/data-stack.ts';
import type { Stage } from '../../stages.ts';
import { RULE_METRICS, sumOverRules } from '../rule-queries.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Events that EventBridge could not hand over: what is in no queue, no alarm on queues sees. */
export function ruleAlarms(addAlarm: AddAlarm, stage: Pick<Stage, 'name'>): void {
  const overAllRules = (metricName: string) =>
    new MathExpression({
      expression: sumOverRules(metricName, busNameOf(stage)),
      label: metricName,
      period: Duration.minutes(1),
    });
  const missingData = {
    treatedAs: TreatMissingData.NOT_BREACHING,
    because: 'EventBridge measures only what went wrong.',
  };
  addAlarm({
    name: 'events-lost',
    meaning:
      'EventBridge could put an event neither on the events queue nor among the dead letters: it is gone.',
    metric: overAllRules(RULE_METRICS.lost),
    threshold: 0,
    missingData,
  });
  addAlarm({
    name: 'rule-failures',
    meaning: 'EventBridge gave up putting an event on the events queue.',
    metric: overAllRules(RULE_METRICS.failed),
    threshold: 0,
    missingData,
  });
}
