import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Severity } from '../alarm-topics.ts';
import { tooMany } from '../too-many.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * The share of invocations that fail in two of ten minutes. A single crash shows in one minute only; a record
 * that crashes its worker comes back within these ten. Lambda writes `Errors` for each invocation, as 0 or 1,
 * so its average is the share.
 */
const FAILING = { threshold: 0.001, evaluationPeriods: 10, datapointsToAlarm: 2 };
const EACH_MINUTE = { period: Duration.minutes(1), statistic: Stats.AVERAGE };

const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };

const ofTheAccount = (metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, ...inFiveMinutes });

const notInvoked = 'Lambda emits nothing while a function is not invoked.';

/**
 * Failed invocations, and throttled ones.
 *
 * @param silent functions whose failures no other alarm reports within minutes: docs/adr/0019 says which
 * alarms cover the others. Webhooks wait for the urgent ones.
 */
export function functionAlarms(
  addAlarm: AddAlarm,
  silent: Readonly<Record<Severity, readonly ServiceFunction[]>>,
): void {
  const failing = (severity: Severity) => (watched: ServiceFunction) =>
    addAlarm({
      name: `${watched.shortName}-errors`,
      severity,
      section: 'function-errors',
      meaning: `Invocations of ${watched.shortName} fail: it throws, runs out of time or memory, or does not start.`,
      metric: watched.metricErrors(EACH_MINUTE),
      ...FAILING,
      noDataBecause: notInvoked,
    });
  silent.urgent.forEach(failing('urgent'));
  silent.routine.forEach(failing('routine'));
  addAlarm({
    name: 'function-throttles',
    severity: 'urgent',
    meaning:
      'Lambda throttles invocations in the account: the function or the account has reached its concurrency limit.',
    // Without a dimension the metric covers all functions of the account, which share its concurrency.
    metric: tooMany(ofTheAccount('Throttles'), { few: 2, share: 0.001, of: ofTheAccount('Invocations') }),
    // A burst that outpaces Lambda's scaling is over sooner.
    evaluationPeriods: 2,
    noDataBecause: notInvoked,
  });
}
