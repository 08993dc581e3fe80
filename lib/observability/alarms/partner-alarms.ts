import { Duration } from 'aws-cdk-lib';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Notices } from '../../parts/api/notices.ts';
import type { Api } from '../../parts/api.ts';
import type { Archive } from '../../parts/archive.ts';
import type { Pipeline } from '../../parts/pipeline.ts';
import { MAX_OF_A_MINUTE, MAX_OF_FIVE_MINUTES, SUM_OF_FIVE_MINUTES } from '../our-metric.ts';
import { tooMany } from '../too-many.ts';
import type { Alarming } from './runbook-alarm.ts';

/** What partners see besides webhooks: the API, its audit trail and rate limits, their statistics. */
export function partnerAlarms({ addAlarm, ourMetric }: Alarming, api: Api, pipeline: Pipeline): void {
  addAlarm({
    name: 'api-internal-errors',
    severity: 'urgent',
    meaning: 'Partners receive 5xx: the api or the authorizer fails.',
    metric: tooMany(api.httpApi.metricServerError(SUM_OF_FIVE_MINUTES), {
      few: 3,
      share: 0.01,
      of: api.httpApi.metricCount(SUM_OF_FIVE_MINUTES),
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
    metric: pipeline.statistics.metric('IteratorAge', MAX_OF_FIVE_MINUTES),
    threshold: Duration.hours(1).toMilliseconds(),
    noDataBecause: 'Lambda emits nothing while no message changes.',
  });
}

/**
 * Far less than the day for which DynamoDB keeps changes, and ten hours before unwritten ones are
 * dead-lettered.
 */
const FAR_BEHIND = Duration.hours(2);

/** Attempts that reach the archive late, or not at all. */
export function archiveAlarms({ addAlarm }: Alarming, { archive, changes }: Archive): void {
  addAlarm({
    name: 'archive-behind',
    severity: 'routine',
    section: 'stream-behind',
    meaning: 'The archive is two hours behind: archive fails, is throttled or is too slow.',
    metric: archive.metric('IteratorAge', MAX_OF_FIVE_MINUTES),
    threshold: FAR_BEHIND.toMilliseconds(),
    noDataBecause: 'Lambda emits nothing while no message changes.',
  });
  addAlarm({
    name: 'archive-dead-letters',
    severity: 'routine',
    section: 'stream-behind',
    meaning: 'Some attempts could not be written to the archive and are missing from it.',
    metric: changes.deadLetters.metricApproximateNumberOfMessagesVisible(MAX_OF_A_MINUTE),
    noDataBecause: 'SQS stops emitting metrics of a queue that has been empty and unused for six hours.',
  });
}

/** Mails to partners that nobody gets. */
export function noticeAlarms({ addAlarm, ourMetric }: Alarming, { deadLetters }: Notices): void {
  addAlarm({
    name: 'notices-dropped',
    severity: 'routine',
    section: 'notices',
    meaning: 'Some partners were not told: SES refused a mail five times, or an address is asked too often.',
    metric: ourMetric('notices', METRIC.noticeDropped),
    noDataBecause: 'a mail that is sent counts none.',
  });
  addAlarm({
    name: 'notices-dead-letters',
    severity: 'routine',
    section: 'notices',
    meaning:
      'Operational events could not be taken after five tries: partners may be told late, or of too few messages.',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible(MAX_OF_A_MINUTE),
    noDataBecause: 'SQS stops emitting metrics of a queue that has been empty and unused for six hours.',
  });
}
