import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC } from '../../functions/telemetry/metric-names.ts';
import { ROLLOUT_ALARM_PERIOD, type RolloutAlarm } from '../constructs/functions/gradual-rollout.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Stage } from '../stage.ts';
import { logLineMetric } from './log-line-metric.ts';
import { ourMetric } from './our-metric.ts';

/** A passing problem logs a few errors; a bad version logs many. */
const FEW = 5;

const sum = { period: ROLLOUT_ALARM_PERIOD, statistic: Stats.SUM };

/**
 * Logged for each internal error, and each record or event that is dead-lettered. A partner's failure logs
 * neither.
 */
const ERROR_LINES = FilterPattern.any(
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
  FilterPattern.stringValue('$.message', '=', '*.buried'),
);

/** Alarms on a new version of a pipeline function that runs without errors but does not do its work. */
export function pipelineRolloutAlarms(
  scope: Construct,
  functions: readonly ServiceFunction[],
  { lateAlarm }: Pick<Stage, 'lateAlarm'>,
): RolloutAlarm[] {
  return [
    internalErrorsLogged(scope, functions),
    counted('keys-faulted', 'deliver', METRIC.keyFaulted, 'Payments are stuck and need an operator.', 0),
    {
      name: 'messages-late',
      meaning: 'First attempts are late on average.',
      metric: ourMetric('deliver', METRIC.timeToSend, {
        period: ROLLOUT_ALARM_PERIOD,
        statistic: Stats.AVERAGE,
      }),
      max: lateAlarm.average.toMilliseconds(),
    },
  ];
}

/** Alarms on a new version of an API function that answers, but wrongly. */
export function apiRolloutAlarms({ httpApi }: { readonly httpApi: HttpApi }): RolloutAlarm[] {
  return [
    {
      name: 'server-errors',
      meaning: 'Partners receive 5xx.',
      metric: httpApi.metricServerError(sum),
      max: FEW,
    },
    counted('audit-lost', 'api', METRIC.auditLost, 'Changes are missing from the audit trail.', 0),
    counted(
      'requests-uncounted',
      'authorize',
      METRIC.requestUncounted,
      'Requests are not counted against rate limits.',
      FEW * 10,
    ),
  ];
}

/**
 * One alarm for everything that fails often, whatever the cause: alarms are billed by the month, and a canary
 * lasts ten minutes.
 */
function internalErrorsLogged(scope: Construct, functions: readonly ServiceFunction[]): RolloutAlarm {
  const lines = { id: 'Faults', pattern: ERROR_LINES, metricName: METRIC.faultLogged };
  return {
    name: 'faults-logged',
    meaning: 'The logs show many internal errors or dead-lettered records.',
    metric: logLineMetric(scope, functions, lines, sum),
    max: FEW,
  };
}

function counted(
  name: string,
  service: string,
  metricName: string,
  meaning: string,
  max: number,
): RolloutAlarm {
  return { name, meaning, metric: ourMetric(service, metricName, { period: ROLLOUT_ALARM_PERIOD }), max };
}
