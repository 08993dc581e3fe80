import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ApiStack } from '../../stacks/api-stack.ts';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import { ourMetric } from '../our-metric.ts';
import { tooMany } from '../too-many.ts';
import type { AddAlarm } from './runbook-alarm.ts';

const inFiveMinutes = { period: Duration.minutes(5), statistic: Stats.SUM };

/** What partners see besides webhooks: the API, its audit trail and rate limits, their statistics. */
export function partnerAlarms(addAlarm: AddAlarm, api: ApiStack, pipeline: PipelineStack): void {
  addAlarm({
    name: 'api-faults',
    severity: 'urgent',
    meaning: 'Partners receive 5xx: the api or the authorizer fails.',
    metric: tooMany(api.httpApi.metricServerError(inFiveMinutes), {
      few: 3,
      share: 0.01,
      of: api.httpApi.metricCount(inFiveMinutes),
    }),
    noDataBecause: 'API Gateway emits nothing while nobody calls.',
  });
  addAlarm({
    name: 'audit-lost',
    severity: 'routine',
    meaning: "A partner's change is missing from the audit trail: only the log has it.",
    metric: ourMetric('api', METRIC.auditLost),
    noDataBecause: 'a recorded change counts nothing.',
  });
  addAlarm({
    name: 'requests-uncounted',
    severity: 'routine',
    meaning: 'Requests pass without being counted: the rate limits of tokens are not enforced.',
    metric: ourMetric('authorize', METRIC.requestUncounted),
    // When many requests use a token at once, one occasionally passes uncounted. The API takes 60,000
    // requests in five minutes, so a number suffices.
    threshold: 100,
    noDataBecause: 'a counted request emits nothing here.',
  });
  addAlarm({
    name: 'statistics-behind',
    severity: 'routine',
    section: 'stream-behind',
    meaning: 'The statistics are an hour behind: the function statistics fails, is throttled or is too slow.',
    metric: pipeline.statistics.metric('IteratorAge', {
      period: Duration.minutes(5),
      statistic: Stats.MAXIMUM,
    }),
    threshold: Duration.hours(1).toMilliseconds(),
    noDataBecause: 'Lambda emits nothing while no message changes.',
  });
}
