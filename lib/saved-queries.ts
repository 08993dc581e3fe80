import { LATE_MS } from '../functions/pipeline/deliver/went-as-usual.ts';

/** The function whose logs a query reads. */
export type LogSource = (typeof PIPELINE_LOGS)[number] | (typeof API_LOGS)[number];

export const PIPELINE_LOGS = ['match', 'deliver', 'wake', 'sweep', 'statistics'] as const;
/** Logs of the API. `audit.lost` shows what partners changed, which may name people. */
export const API_LOGS = ['api', 'authorize', 'docs-page', 'feed', 'stage-api'] as const;

/** A query that is saved in CloudWatch Logs Insights, in the stage's folder. */
export interface SavedQuery {
  readonly name: string;
  /** The question that it answers. */
  readonly question: string;
  /** Who may run it: analysts cannot read the API's logs; the person on call reads all. */
  readonly askedBy: 'analyst' | 'on-call';
  readonly logs: readonly LogSource[];
  /** In the Logs Insights query language, one command per line. */
  readonly text: readonly string[];
}

const ATTEMPTS = 'filter message = "delivery.attempted" and event_type not like /^(ping$|sample[.])/';

const askedBy =
  (who: SavedQuery['askedBy']) =>
  (logs: readonly LogSource[], name: string, question: string, text: readonly string[]): SavedQuery => ({
    name,
    question,
    askedBy: who,
    logs,
    text,
  });
const forAnalysts = askedBy('analyst');
const forOnCall = askedBy('on-call');
const ALL_LOGS = [...PIPELINE_LOGS, ...API_LOGS];

/**
 * Every saved query. Tests check that docs/analysts.md names each of them and that each field is one that is
 * logged.
 */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  forAnalysts(['deliver'], 'slowest partners', 'Which endpoints are slowest to answer? Of drawn attempts.', [
    ATTEMPTS,
    'filter ispresent(drawn_from)',
    'stats sum(drawn_from) as attempts, pct(duration_ms, 50) as p50_ms, pct(duration_ms, 99) as p99_ms, max(duration_ms) as longest_ms by service_id, subscription_id',
    'sort p99_ms desc',
    'limit 20',
  ]),
  forAnalysts(
    ['deliver'],
    'failures by subscription and reason',
    'Which endpoints fail, how, and how many payments are affected?',
    [
      ATTEMPTS,
      'filter outcome != "delivered"',
      'stats count(*) as failed, count_distinct(payment_id) as payments, latest(@timestamp) as last_at by service_id, subscription_id, outcome, status_code',
      'sort failed desc',
      'limit 50',
    ],
  ),
  forAnalysts(
    ['match', 'deliver', 'wake', 'sweep'],
    "one payment's story",
    'What happened to the webhooks of one payment, step by step, besides first attempts that succeeded? Replace pay_... with its id.',
    [
      'filter @message like "pay_..."',
      'display @timestamp, message, service_id, subscription_id, event_type, message_id, event_id, sequence, mark, attempt, outcome, status_code, duration_ms, state, state_reason, reason, next_attempt_at',
      'sort @timestamp asc',
      'limit 1000',
    ],
  ),
  forAnalysts(
    ['deliver'],
    "one message's attempts",
    'When was one message attempted, and with what results? Replace msg_... with its id.',
    [
      'filter message_id = "msg_..."',
      'display @timestamp, message, attempt, probe, outcome, status_code, failure_reason, duration_ms, state, state_reason, reason, next_attempt_at',
      'sort @timestamp asc',
      'limit 1000',
    ],
  ),
  forAnalysts(
    ['deliver'],
    'late by hour',
    `Which first attempts started over ${LATE_MS / 1_000} s after intake, hour by hour, without time held?`,
    [
      ATTEMPTS,
      `filter attempt = 1 and time_to_send_ms >= ${LATE_MS}`,
      'stats count(*) as late, count_distinct(payment_id) as payments, count_distinct(subscription_id) as subscriptions, min(time_to_send_ms) as shortest_ms, max(time_to_send_ms) as longest_ms by bin(1h) as hour',
      'sort hour asc',
    ],
  ),
  forAnalysts(['deliver'], 'longest held', 'Whose messages were held longest before their first attempt?', [
    ATTEMPTS,
    'filter attempt = 1 and held_ms > 0',
    'stats count(*) as messages, pct(held_ms, 50) as p50_ms, max(held_ms) as longest_ms by service_id, subscription_id',
    'sort longest_ms desc',
    'limit 20',
  ]),
  forAnalysts(['deliver'], 'given up', 'Which messages were given up, when and why?', [
    'filter message in ["message.exhausted", "message.cancelled"] or (message = "delivery.attempted" and state = "exhausted")',
    'fields coalesce(state_reason, reason) as why',
    'display @timestamp, service_id, subscription_id, payment_id, message_id, why, attempt, status_code',
    'sort @timestamp desc',
    'limit 200',
  ]),
  forAnalysts(
    ['deliver', 'wake'],
    'circuits that opened',
    'Which circuits changed, from which state to which, and which subscriptions were disabled?',
    [
      'filter (message in ["circuit.changed", "circuit_timer.fired"] and from != to) or message = "subscription.disabled"',
      'display @timestamp, message, service_id, subscription_id, from, to, reason',
      'sort @timestamp desc',
      'limit 200',
    ],
  ),
  forAnalysts(['match'], 'events without subscribers', 'Which events did no subscription want?', [
    'filter message = "event.unrouted"',
    'stats count(*) as events, latest(@timestamp) as last_at by service_id, event_type',
    'sort events desc',
    'limit 50',
  ]),
  forAnalysts(
    ['match'],
    'events out of sequence',
    'Which numbered events came late, or did not wait any longer for the one before; and which without a number came behind one that happened later?',
    [
      'filter message in ["event.out_of_sequence", "event.inverted"]',
      'display @timestamp, message, service_id, payment_id, event_id, sequence, mark, is_reused, occurred_at, by_ms',
      'sort @timestamp desc',
      'limit 200',
    ],
  ),
  forOnCall(ALL_LOGS, 'internal errors', 'Which internal errors occur, where, and since when?', [
    // Lambda reports only invocations that fail: lib/constructs/functions/service-function.ts.
    'filter level in ["ERROR", "CRITICAL"] or type in ["platform.report", "platform.initReport"]',
    'stats count(*) as internal_errors, earliest(@timestamp) as first_at, latest(@timestamp) as last_at by @log, message, error.name, error.message, record.status, record.errorType',
    'sort internal_errors desc',
    'limit 50',
  ]),
  forOnCall(ALL_LOGS, 'IAM denials', 'Which AWS actions are our functions denied?', [
    'filter @message like /AccessDenied|is not authorized to perform/',
    'parse @message /not authorized to perform: (?<action>[a-z0-9-]+:[A-Za-z]+)/',
    'stats count(*) as denials, earliest(@timestamp) as first_at, latest(@timestamp) as last_at by @log, action',
    'sort denials desc',
    'limit 50',
  ]),
  forOnCall(ALL_LOGS, 'work for operators', 'What is stuck, was dead-lettered, or could not be recorded?', [
    'filter message in ["ordering_key.stuck", "event.stuck", "queued_message.lost", "event.dead_lettered", "event.lost", "dead_letter.failed", "match.internal_error", "timer.unreadable", "statistics.unreadable", "audit.lost"]',
    'stats count(*) as times, latest(@timestamp) as last_at by message, service_id, ordering_key, reason, explanation',
    'sort last_at desc',
    'limit 100',
  ]),
  forOnCall(
    ['api'],
    'API requests',
    'What do partners request from the API, what do they receive, and how quickly?',
    [
      'filter message = "api.answered"',
      'stats count(*) as answers, pct(duration_ms, 50) as p50_ms, pct(duration_ms, 99) as p99_ms by operation, status',
      'sort answers desc',
      'limit 100',
    ],
  ),
];
