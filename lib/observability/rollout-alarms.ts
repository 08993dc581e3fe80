import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { METRIC } from '../../functions/telemetry/metric-names.ts';
import { ROLLOUT_ALARM_PERIOD, type RolloutAlarm } from '../constructs/functions/gradual-rollout.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Settings } from '../settings.ts';
import { logLineMetric } from './log-line-metric.ts';
import { metricsOf } from './our-metric.ts';
import { tooMany } from './too-many.ts';

/** A passing problem logs a few errors; a bad version logs many: it has a tenth of the work. */
const FEW = 5;

type Namespaced = Pick<Settings, 'metricNamespace'>;

const sum = { period: ROLLOUT_ALARM_PERIOD, statistic: Stats.SUM };

/**
 * Logged for each internal error, and each record or event that is dead-lettered; by Lambda, for each handler
 * that throws. A partner's failure logs neither.
 */
const ERROR_LINES = FilterPattern.any(
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
  FilterPattern.stringValue('$.message', '=', '*.dead_lettered'),
);

/** Alarms on a new version of a pipeline function that runs without errors but does not do its work. */
export function pipelineRolloutAlarms(
  scope: Construct,
  functions: readonly ServiceFunction[],
  deliveries: Queue,
  settings: Pick<Settings, 'lateAlarm' | 'metricNamespace'>,
): RolloutAlarm[] {
  return [
    internalErrorsLogged(scope, functions, deliveries, settings),
    counted(
      settings,
      'payments-stuck',
      'deliver',
      METRIC.orderingKeyStuck,
      'Payments are stuck and need an operator.',
    ),
    {
      name: 'messages-late',
      meaning: 'First attempts are late on average.',
      metric: metricsOf(settings)('deliver', METRIC.timeToSend, {
        period: ROLLOUT_ALARM_PERIOD,
        statistic: Stats.AVERAGE,
      }),
      max: settings.lateAlarm.average.toMilliseconds(),
    },
  ];
}

/** Alarms on a new version of an API function that answers, but wrongly. */
export function apiRolloutAlarms(
  { httpApi }: { readonly httpApi: HttpApi },
  settings: Namespaced,
): RolloutAlarm[] {
  return [
    {
      name: 'server-errors',
      meaning: 'Partners receive 5xx.',
      metric: tooMany(httpApi.metricServerError(sum), {
        few: FEW,
        share: 0.01,
        of: httpApi.metricCount(sum),
      }),
      max: 0,
    },
    counted(settings, 'audit-lost', 'api', METRIC.auditLost, 'Changes are missing from the audit trail.'),
  ];
}

/**
 * One alarm for everything that fails often, whatever the cause: alarms are billed by the month, and a canary
 * lasts ten minutes.
 */
function internalErrorsLogged(
  scope: Construct,
  functions: readonly ServiceFunction[],
  deliveries: Queue,
  { metricNamespace }: Namespaced,
): RolloutAlarm {
  const metricName = METRIC.internalErrorLogged;
  const lines = { id: 'InternalErrors', pattern: ERROR_LINES, metricName, metricNamespace };
  return {
    name: 'internal-errors-logged',
    meaning: 'The logs show many internal errors or dead-lettered records.',
    metric: tooMany(logLineMetric(scope, functions, lines, sum), {
      few: FEW,
      share: 0.001,
      of: deliveries.metricNumberOfMessagesReceived(sum),
    }),
    max: 0,
  };
}

/** One is too many, whatever the traffic. */
function counted(
  settings: Namespaced,
  name: string,
  service: string,
  metricName: string,
  meaning: string,
): RolloutAlarm {
  const metric = metricsOf(settings)(service, metricName, { period: ROLLOUT_ALARM_PERIOD });
  return { name, meaning, metric, max: 0 };
}
