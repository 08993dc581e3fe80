import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Pipeline } from '../../parts/pipeline.ts';
import type { Settings } from '../../settings.ts';
import type { Severity } from '../alarm-topics.ts';
import { MAX_OF_A_MINUTE } from '../our-metric.ts';
import { RULE_METRICS, sumOverRules } from '../rule-queries.ts';
import type { Alarming } from './runbook-alarm.ts';

const EMPTY_QUEUE = 'SQS stops emitting metrics of a queue that has been empty and unused for six hours.';

/** Dead-letter queues that are not empty, and records that stay in a queue for too long. */
export function queueAlarms({ addAlarm }: Alarming, settings: Settings, pipeline: Pipeline): void {
  const notEmpty = (severity: Severity, name: string, queue: Queue, meaning: string, section = name) =>
    addAlarm({
      name,
      severity,
      section,
      meaning,
      metric: queue.metricApproximateNumberOfMessagesVisible(MAX_OF_A_MINUTE),
      noDataBecause: EMPTY_QUEUE,
    });
  const tooOld = (name: string, queue: Queue, meaning: string, delay = Duration.seconds(0)) =>
    addAlarm({
      name,
      severity: 'urgent',
      section: 'records-too-old',
      meaning,
      metric: queue.metricApproximateAgeOfOldestMessage(MAX_OF_A_MINUTE),
      threshold: settings.oldestRecordAlarm.plus(delay).toSeconds(),
      evaluationPeriods: 2,
      noDataBecause: EMPTY_QUEUE,
    });

  const { unclaimed, rules, events, deliveries, retryTimers, outcomes } = pipeline;
  notEmpty(
    'urgent',
    'events-unclaimed',
    unclaimed.queue,
    'Events came with a source that is not ours: nobody takes them.',
  );
  notEmpty(
    'urgent',
    'rule-dead-letters',
    rules.deadLetters,
    'EventBridge could not send an event to the events queue.',
  );
  notEmpty(
    'routine',
    'events-dead-letters',
    events.deadLetters,
    'An event is unusable, or could not be matched after many tries.',
  );
  notEmpty(
    'urgent',
    'deliveries-dead-letters',
    deliveries.deadLetters,
    'A message could not be processed after many tries.',
  );
  notEmpty(
    'routine',
    'retry-timers-dead-letters',
    retryTimers.deadLetters,
    'A timer could not be processed after many tries: wake fails.',
  );
  notEmpty(
    'routine',
    'statistics-dead-letters',
    outcomes.deadLetters,
    'Final states of some messages could not be counted: the statistics are incomplete.',
    'stream-behind',
  );
  const forWorker = (what: string, worker: string) =>
    `${what} wait for ${worker}: it fails, is throttled or has too few workers.`;
  tooOld('events-oldest', events.queue, forWorker('Events', 'match'));
  tooOld('deliveries-oldest', deliveries.queue, forWorker('Messages', 'deliver'));
  // SQS may count a record's age from when it was sent, and timers are sent with a delay.
  const delay = Duration.millis(settings.deliveryPolicy.longestTimerMs);
  tooOld('retry-timers-oldest', retryTimers.queue, forWorker('Timers', 'wake'), delay);
}

/**
 * Longer than any queue's visibility timeout: a record that crashes its worker each time is received, and
 * counted, again within it.
 */
const BETWEEN_TRIES = Duration.minutes(10);

/**
 * Records that are received again and again. Of standard queues SQS leaves a record out of its age metric
 * after the third receive, of FIFO queues perhaps: alarms on that metric may miss exactly these records. These
 * alarms use the workers' own counts.
 */
export function waitingAlarms({ addAlarm, ourMetric }: Alarming, { oldestRecordAlarm }: Settings): void {
  const tooOld = (name: string, service: 'match' | 'deliver', meaning: string) =>
    addAlarm({
      name,
      severity: 'urgent',
      section: 'records-too-old',
      meaning,
      metric: ourMetric(service, METRIC.recordAge, { statistic: Stats.MAXIMUM, period: BETWEEN_TRIES }),
      threshold: oldestRecordAlarm.toMilliseconds(),
      noDataBecause: `${service} emits it only for records that have waited for a minute; the alarm on the queue's age says whether it runs.`,
    });
  tooOld(
    'events-waiting',
    'match',
    'Match keeps receiving an event that has waited for too long: each time it fails on it or crashes.',
  );
  tooOld(
    'deliveries-waiting',
    'deliver',
    'Deliver keeps receiving a record that has waited for too long: each time it fails on it, defers it or crashes.',
  );
  addAlarm({
    name: 'routes-unreadable',
    severity: 'urgent',
    meaning: 'The routes of a service cannot be read: none of its events becomes a webhook.',
    metric: ourMetric('match', METRIC.routesUnreadable),
    noDataBecause: 'readable routes count nothing, and neither does a service without events.',
  });
}

/** Events that EventBridge could not send. They are in no queue, so no alarm on queues sees them. */
export function ruleAlarms({ addAlarm }: Alarming, { busName }: Pick<Pipeline, 'busName'>): void {
  const overAllRules = (metricName: string) =>
    new MathExpression({
      expression: sumOverRules(metricName, busName),
      label: metricName,
      period: Duration.minutes(1),
    });
  const noDataBecause = 'EventBridge emits these metrics only for failures.';
  addAlarm({
    name: 'events-lost',
    severity: 'urgent',
    meaning:
      'EventBridge could send an event neither to the events queue nor to the dead-letter queue: it is lost.',
    metric: overAllRules(RULE_METRICS.lost),
    noDataBecause,
  });
  addAlarm({
    name: 'rule-failures',
    severity: 'urgent',
    section: 'rule-dead-letters',
    meaning: 'EventBridge gave up sending an event to the events queue.',
    metric: overAllRules(RULE_METRICS.failed),
    noDataBecause,
  });
}
