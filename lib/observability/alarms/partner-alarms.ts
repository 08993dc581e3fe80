import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ApiStack } from '../../stacks/api-stack.ts';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** What partners see besides webhooks: the API, its trail and limits, their statistics. */
export function partnerAlarms(addAlarm: AddAlarm, api: ApiStack, pipeline: PipelineStack): void {
  addAlarm({
    name: 'api-faults',
    meaning: 'Partners are answered with 5xx: the api or the authorizer fails.',
    metric: api.httpApi.metricServerError({ period: Duration.minutes(5), statistic: Stats.SUM }),
    threshold: 3,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'API Gateway measures nothing while nobody calls.',
    },
  });
  addAlarm({
    name: 'audit-lost',
    meaning: 'A partner has changed something, and the audit trail does not have it: only the log does.',
    metric: ourMetric('api', METRIC.auditLost),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a change that is kept counts nothing.',
    },
  });
  addAlarm({
    name: 'requests-uncounted',
    meaning: 'Requests of partners pass without being counted: the limits of their tokens do not hold.',
    metric: ourMetric('authorize', METRIC.requestUncounted),
    // Now and then a token is used by many at once, and one of them is let pass.
    threshold: 100,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a request that is counted says nothing.',
    },
  });
  addAlarm({
    name: 'statistics-behind',
    meaning: 'The statistics of partners are an hour behind: tally fails, is throttled or too slow.',
    metric: pipeline.statistics.metric('IteratorAge', {
      period: Duration.minutes(5),
      statistic: Stats.MAXIMUM,
    }),
    threshold: Duration.hours(1).toMilliseconds(),
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'Lambda measures nothing while no message changes.',
    },
  });
}
