import { Duration } from 'aws-cdk-lib';
import { Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** One may be a worker that died. Whatever is wrong with a record or a version fails again within five minutes, and more than this often. */
const TOLERATED_ERRORS = 2;

const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };

const notInvoked = {
  treatedAs: TreatMissingData.NOT_BREACHING,
  because: 'Lambda measures nothing while a function is not invoked.',
};

/**
 * Invocations that failed, and invocations that were not let in.
 *
 * @param silent functions whose failures no other alarm tells within minutes: docs/adr/0019 has who tells of the others
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
      missingData: notInvoked,
    });
  }
  addAlarm({
    name: 'function-throttles',
    meaning:
      'Invocations of a function of the account are not let in: it, or the account, has no more workers.',
    // Without a dimension it is that of all functions of the account, who share its workers.
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...inFiveMinutes }),
    threshold: 0,
    // A burst that comes faster than Lambda adds workers is over sooner.
    evaluationPeriods: 2,
    missingData: notInvoked,
  });
}
