import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * A single error may be a crashed worker. A bad record or version fails more often than this within five
 * minutes.
 */
const TOLERATED_ERRORS = 2;

const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };

const notInvoked = 'Lambda emits nothing while a function is not invoked.';

/**
 * Failed invocations, and throttled ones.
 *
 * @param silent functions whose failures no other alarm reports within minutes: docs/adr/0019 says which
 * alarms cover the others
 */
export function functionAlarms(addAlarm: AddAlarm, silent: readonly ServiceFunction[]): void {
  for (const watched of silent) {
    const { shortName } = watched;
    addAlarm({
      name: `${shortName}-errors`,
      section: 'function-errors',
      meaning: `Invocations of ${shortName} fail: it throws, runs out of time or memory, or does not start.`,
      metric: watched.metricErrors(inFiveMinutes),
      threshold: TOLERATED_ERRORS,
      noDataBecause: notInvoked,
    });
  }
  addAlarm({
    name: 'function-throttles',
    meaning:
      'Lambda throttles invocations in the account: the function or the account has reached its concurrency limit.',
    // Without a dimension the metric covers all functions of the account, which share its concurrency.
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...inFiveMinutes }),
    // A burst that outpaces Lambda's scaling is over sooner.
    evaluationPeriods: 2,
    noDataBecause: notInvoked,
  });
}
