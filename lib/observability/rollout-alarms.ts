import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC } from '../../functions/telemetry/metric-names.ts';
import { SIGN_PERIOD, type Sign } from '../constructs/functions/gradual-rollout.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Stage } from '../stages.ts';
import { linesCounted } from './log-line-metric.ts';
import { ourMetric } from './our-metric.ts';

/** Of a fault that a moment brought about there are a few; of one that a version brought along there are many. */
const FEW = 5;

const sum = { period: SIGN_PERIOD, statistic: Stats.SUM };

/** The line of each fault of ours, and of each record or event that is put aside. A partner's failure has neither. */
const FAULT_LINES = FilterPattern.any(
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
  FilterPattern.stringValue('$.message', '=', '*.buried'),
);

/** What shows that a new version of one of the pipeline's functions does not do its work, though it does not fail. */
export function pipelineSigns(
  scope: Construct,
  functions: readonly ServiceFunction[],
  { lateAlarm }: Pick<Stage, 'lateAlarm'>,
): Sign[] {
  return [
    faultsLogged(scope, functions),
    counted('keys-faulted', 'deliver', METRIC.keyFaulted, 'Payments wait for an operator.', 0),
    {
      name: 'messages-late',
      meaning: 'Messages start late on average.',
      metric: ourMetric('deliver', METRIC.timeToSend, { period: SIGN_PERIOD, statistic: Stats.AVERAGE }),
      max: lateAlarm.average.toMilliseconds(),
    },
  ];
}

/** What shows that a new version of one of the API's functions answers, but not as it should. */
export function apiSigns({ httpApi }: { readonly httpApi: HttpApi }): Sign[] {
  return [
    {
      name: 'server-errors',
      meaning: 'Partners are answered with 5xx.',
      metric: httpApi.metricServerError(sum),
      max: FEW,
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

/** One sign of all that goes wrong many times, whatever it is called: an alarm is paid for by the month, and a canary lasts ten minutes. */
function faultsLogged(scope: Construct, functions: readonly ServiceFunction[]): Sign {
  const lines = { id: 'Faults', pattern: FAULT_LINES, metricName: METRIC.faultLogged };
  return {
    name: 'faults-logged',
    meaning: 'Many faults of ours are in the logs, or many records are put aside.',
    metric: linesCounted(scope, functions, lines, sum),
    max: FEW,
  };
}

function counted(name: string, service: string, metricName: string, meaning: string, max: number): Sign {
  return { name, meaning, metric: ourMetric(service, metricName, { period: SIGN_PERIOD }), max };
}
