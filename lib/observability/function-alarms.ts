import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AddAlarm } from '../constructs/runbook-alarm.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';

/** One may be a worker that died. Whatever is wrong with a record or a version fails again within five minutes, and more than this often. */
const TOLERATED_ERRORS = 2;

/** Invocations that failed, and invocations that were not let in, of each function. */
export function functionAlarms(addAlarm: AddAlarm, functions: readonly ServiceFunction[]): void {
  const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };
  const missingData = {
    treatedAs: TreatMissingData.NOT_BREACHING,
    because: 'Lambda measures nothing while a function is not invoked.',
  };
  for (const watched of functions) {
    const { shortName } = watched;
    addAlarm({
      name: `${shortName}-errors`,
      section: 'function-errors',
      meaning: `Invocations of ${shortName} fail: it throws, runs out of time or memory, or does not start.`,
      metric: watched.metricErrors(inFiveMinutes),
      threshold: TOLERATED_ERRORS,
      missingData,
    });
    addAlarm({
      name: `${shortName}-throttles`,
      section: 'function-throttles',
      meaning: `Invocations of ${shortName} are not let in: it, or the account, has no more workers.`,
      metric: watched.metricThrottles(inFiveMinutes),
      threshold: 0,
      // A burst that comes faster than Lambda adds workers is over sooner.
      evaluationPeriods: 2,
      missingData,
    });
  }
}
