/** The function whose logs a query reads. */
export type LogSource = (typeof PIPELINE_LOGS)[number] | (typeof API_LOGS)[number];

export const PIPELINE_LOGS = ['match', 'deliver', 'wake', 'sweep', 'statistics'] as const;
/** Logs of the API. `audit.lost` shows what partners changed, which may name people. */
export const API_LOGS = ['api', 'authorize', 'docs-page', 'stage-api'] as const;

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

/**
 * Every saved query. Tests check that docs/analysts.md names each of them and that each field is one that is
 * logged.
 */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  {
    name: 'slowest partners',
    question: 'Which endpoints are slowest to answer?',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      ATTEMPTS,
      'stats count(*) as attempts, pct(duration_ms, 50) as p50_ms, pct(duration_ms, 99) as p99_ms, max(duration_ms) as longest_ms by service_id, subscription_id',
      'sort p99_ms desc',
      'limit 20',
    ],
  },
  {
    name: 'failures by subscription and reason',
    question: 'Which endpoints fail, how, and how many payments are affected?',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      ATTEMPTS,
      'filter outcome != "delivered"',
      'stats count(*) as failed, count_distinct(payment_id) as payments, latest(@timestamp) as last_at by service_id, subscription_id, outcome, status_code',
      'sort failed desc',
      'limit 50',
    ],
  },
  {
    name: "one payment's story",
    question: 'What happened to the webhooks of one payment, step by step? Replace pay_... with its id.',
    askedBy: 'analyst',
    logs: ['match', 'deliver', 'wake', 'sweep'],
    text: [
      'filter @message like "pay_..."',
      'display @timestamp, message, service_id, subscription_id, event_type, message_id, event_id, sequence, mark, attempt, outcome, status_code, duration_ms, state, state_reason, reason, next_attempt_at',
      'sort @timestamp asc',
      'limit 1000',
    ],
  },
  {
    name: "one message's attempts",
    question: 'When was one message attempted, and with what results? Replace msg_... with its id.',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      'filter message_id = "msg_..."',
      'display @timestamp, message, attempt, probe, outcome, status_code, failure_reason, duration_ms, state, state_reason, reason, next_attempt_at',
      'sort @timestamp asc',
      'limit 1000',
    ],
  },
  {
    name: 'time to send by hour',
    question: 'How soon after intake do first attempts start, hour by hour, without time held?',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      ATTEMPTS,
      'filter attempt = 1 and ispresent(time_to_send_ms)',
      'stats count(*) as messages, pct(time_to_send_ms, 50) as p50_ms, pct(time_to_send_ms, 90) as p90_ms, pct(time_to_send_ms, 99) as p99_ms, max(time_to_send_ms) as longest_ms by bin(1h) as hour',
      'sort hour asc',
    ],
  },
  {
    name: 'longest held',
    question: 'Whose messages were held longest before their first attempt?',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      ATTEMPTS,
      'filter attempt = 1 and held_ms > 0',
      'stats count(*) as messages, pct(held_ms, 50) as p50_ms, max(held_ms) as longest_ms by service_id, subscription_id',
      'sort longest_ms desc',
      'limit 20',
    ],
  },
  {
    name: 'given up',
    question: 'Which messages were given up, when and why?',
    askedBy: 'analyst',
    logs: ['deliver'],
    text: [
      'filter message in ["message.exhausted", "message.cancelled"] or (message = "delivery.attempted" and state = "exhausted")',
      'fields coalesce(state_reason, reason) as why',
      'display @timestamp, service_id, subscription_id, payment_id, message_id, why, attempt, status_code',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    name: 'circuits that opened',
    question: 'Which circuits changed, from which state to which, and which subscriptions were disabled?',
    askedBy: 'analyst',
    logs: ['deliver', 'wake'],
    text: [
      'filter (message in ["circuit.changed", "circuit.ticked"] and from != to) or message = "subscription.disabled"',
      'display @timestamp, message, service_id, subscription_id, from, to, reason',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    name: 'events without subscribers',
    question: 'Which events did no subscription want?',
    askedBy: 'analyst',
    logs: ['match'],
    text: [
      'filter message = "event.unrouted"',
      'stats count(*) as events, latest(@timestamp) as last_at by service_id, event_type',
      'sort events desc',
      'limit 50',
    ],
  },
  {
    name: 'events out of sequence',
    question:
      'Which numbered events came late, or did not wait any longer for the one before; and which without a number came behind one that happened later?',
    askedBy: 'analyst',
    logs: ['match'],
    text: [
      'filter message in ["event.out_of_sequence", "event.inverted"]',
      'display @timestamp, message, service_id, payment_id, event_id, sequence, mark, is_reused, occurred_at, by_ms',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    name: 'cold starts',
    question:
      'How often does a function start cold, how long does that take, and how much memory does it use?',
    askedBy: 'analyst',
    logs: PIPELINE_LOGS,
    text: [
      'filter @type = "REPORT"',
      'stats count(*) as invocations, count(@initDuration) as cold_starts, max(@initDuration) as longest_start_ms, pct(@duration, 99) as p99_ms, max(@maxMemoryUsed) / 1048576 as used_mib, max(@memorySize) / 1048576 as given_mib by @log, bin(1h) as hour',
      'sort hour desc',
      'limit 200',
    ],
  },
  {
    name: 'internal errors',
    question: 'Which internal errors occur, where, and since when?',
    askedBy: 'on-call',
    logs: [...PIPELINE_LOGS, ...API_LOGS],
    text: [
      'filter level in ["ERROR", "CRITICAL"] or @message like /Task timed out|Invoke Error|Runtime.ExitError/',
      'stats count(*) as faults, earliest(@timestamp) as first_at, latest(@timestamp) as last_at by @log, message, error.name, error.message',
      'sort faults desc',
      'limit 50',
    ],
  },
  {
    name: 'IAM denials',
    question: 'Which AWS actions are our functions denied?',
    askedBy: 'on-call',
    logs: [...PIPELINE_LOGS, ...API_LOGS],
    text: [
      'filter @message like /AccessDenied|is not authorized to perform/',
      'parse @message /not authorized to perform: (?<action>[a-z0-9-]+:[A-Za-z]+)/',
      'stats count(*) as denials, earliest(@timestamp) as first_at, latest(@timestamp) as last_at by @log, action',
      'sort denials desc',
      'limit 50',
    ],
  },
  {
    name: 'work for operators',
    question: 'What is stuck, was dead-lettered, or could not be recorded?',
    askedBy: 'on-call',
    logs: [...PIPELINE_LOGS, ...API_LOGS],
    text: [
      'filter message in ["key.faulted", "event.stuck", "pointer.lost", "event.buried", "event.lost", "burial.failed", "match.fault", "timer.unreadable", "tally.unreadable", "audit.lost"]',
      'stats count(*) as times, latest(@timestamp) as last_at by message, service_id, ordering_key, reason, explanation',
      'sort last_at desc',
      'limit 100',
    ],
  },
  {
    name: 'API requests',
    question: 'What do partners request from the API, what do they receive, and how quickly?',
    askedBy: 'on-call',
    logs: ['api'],
    text: [
      'filter message = "api.answered"',
      'stats count(*) as answers, pct(duration_ms, 50) as p50_ms, pct(duration_ms, 99) as p99_ms by operation, status',
      'sort answers desc',
      'limit 100',
    ],
  },
];
