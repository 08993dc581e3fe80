import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Settings } from '../../settings.ts';
import type { Severity } from '../alarm-topics.ts';
import { logLineMetric } from '../log-line-metric.ts';
import { MAX_OF_A_MINUTE, SUM_OF_FIVE_MINUTES } from '../our-metric.ts';
import { tooMany } from '../too-many.ts';
import type { Alarming } from './runbook-alarm.ts';

/**
 * The share of invocations that fail in two of ten minutes. A single crash shows in one minute only; a record
 * that crashes its worker comes back within these ten. Lambda writes `Errors` for each invocation, as 0 or 1,
 * so its average is the share.
 */
const FAILING = { threshold: 0.001, evaluationPeriods: 10, datapointsToAlarm: 2 };
const EACH_MINUTE = { period: Duration.minutes(1), statistic: Stats.AVERAGE };

const ofTheAccount = (metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, ...SUM_OF_FIVE_MINUTES });

const notInvoked = 'Lambda emits nothing while a function is not invoked.';

/**
 * Failed invocations, and throttled ones.
 *
 * @param silent functions whose failures no other alarm reports within minutes: docs/adr/0019 says which
 * alarms cover the others. Webhooks wait for the urgent ones.
 */
export function functionAlarms(
  { addAlarm }: Alarming,
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

/** Whether sweep runs, what it finds, and whether it finishes. */
export function sweepAlarms({ addAlarm, ourMetric }: Alarming, { oldestRecordAlarm }: Settings): void {
  addAlarm({
    name: 'oldest-due',
    severity: 'urgent',
    meaning: `Something that waits in the tables was due more than ${oldestRecordAlarm.toHumanString()} ago and has not been handled.`,
    metric: ourMetric('sweep', METRIC.oldestDue, MAX_OF_A_MINUTE),
    threshold: oldestRecordAlarm.toSeconds(),
    // Two runs may fall into the last second of one minute and the first of the next but one.
    evaluationPeriods: 3,
    goesOffWithoutData: true,
    noDataBecause:
      'sweep emits it every minute, even when nothing waits; no data means that it does not run or cannot write.',
  });
  addAlarm({
    name: 'sweep-internal-errors',
    severity: 'routine',
    meaning: 'Sweep does not finish, or keeps finding ordering keys or circuits that it cannot handle.',
    metric: ourMetric('sweep', METRIC.sweepInternalError),
    evaluationPeriods: 2,
    noDataBecause: 'a sweep without errors counts none; oldest-due watches that it runs at all.',
  });
}

/** How AWS services word it. Answers of partners are never logged. */
const DENIED = FilterPattern.anyTerm('AccessDenied', 'AccessDeniedException', 'is not authorized to perform');

/** AWS calls of our functions that IAM, a key policy or a queue policy denies. */
export function denialAlarm(
  scope: Construct,
  { addAlarm }: Alarming,
  functions: readonly ServiceFunction[],
  { metricNamespace }: Settings,
): void {
  const lines = { id: 'Denials', pattern: DENIED, metricName: METRIC.accessDenied, metricNamespace };
  addAlarm({
    name: 'access-denied',
    severity: 'routine',
    meaning: 'An AWS call of one of our functions was denied: a grant is missing or was removed.',
    metric: logLineMetric(scope, functions, lines, SUM_OF_FIVE_MINUTES),
    noDataBecause: 'an allowed call logs nothing.',
  });
}

/** The SDK retries: throttled requests at the start of a burst do no harm, however many they are. */
const TOLERATED = 10;

/**
 * DynamoDB's counts, for each table and index. Source: "CloudWatch throttling metrics", Amazon DynamoDB
 * Developer Guide.
 */
const THROTTLED = { reads: 'ReadThrottleEvents', writes: 'WriteThrottleEvents' } as const;

/**
 * Requests that DynamoDB throttled. The query covers all tables of the account and their indexes, also those
 * of other applications, because its conditions support neither "or" nor prefixes. It is billed by the
 * metrics that it finds: none while nothing is throttled.
 * Source: "Query components and syntax in CloudWatch Metrics Insights", Amazon CloudWatch User Guide.
 */
export function tableAlarms({ addAlarm }: Alarming): void {
  for (const [what, metricName] of Object.entries(THROTTLED)) {
    addAlarm({
      name: `${what}-throttled`,
      severity: 'routine',
      section: 'table-throttled',
      meaning: `DynamoDB throttles ${what} of a table, or of one of its indexes.`,
      metric: new MathExpression({
        expression: `SELECT SUM(${metricName}) FROM "AWS/DynamoDB"`,
        label: metricName,
        period: Duration.minutes(5),
      }),
      threshold: TOLERATED,
      evaluationPeriods: 3,
      noDataBecause: 'DynamoDB emits this metric only when it throttles.',
    });
  }
}
