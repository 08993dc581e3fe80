import type { CircuitState } from '../core/circuit/circuit.ts';

/** The CloudWatch namespace of our metrics, in our own app. */
export const METRIC_NAMESPACE = 'Payhooks';

/** The names of our metrics. The stacks with the alarms import them from here. */
export const METRIC = {
  /**
   * Time to send with ordering wait: from intake to the start of the first attempt, without time held, in ms.
   */
  timeToSend: 'TimeToSend',
  /** From intake to the end of the attempt that was acknowledged, in ms. What is resent does not count. */
  timeToAcknowledge: 'TimeToAcknowledge',
  /** Attempts by result: `Attempt.delivered`, or `Attempt.` and the class of the failure. */
  attempt: (outcome: string) => `Attempt.${outcome}`,
  /** Test pings attempted. No other metric counts them. */
  pinged: 'Ping.attempted',
  /** Events that no subscription wants, or whose service is unknown. */
  eventUnrouted: 'Event.unrouted',
  /** Invalid events, dead-lettered with their reason. */
  eventDeadLettered: 'Event.deadLettered',
  /** Events delivered though their resource does not fit the schema of their type. */
  eventOffSchema: 'Event.offSchema',
  /** Numbered events that came before their turn, and wait for it. */
  eventEarly: 'Event.early',
  /** Numbered events delivered after others that follow them, or with a number that another event has had. */
  eventLate: 'Event.late',
  /** Numbered events that did not wait any longer for the one before them. */
  sequenceGap: 'Sequence.gap',
  /** Events without a number that came behind one of their payment that happened later. */
  eventInverted: 'Event.inverted',
  /** Events dead-lettered because the routes of their service are unreadable: nothing of it is delivered. */
  routesUnreadable: 'Routes.unreadable',
  /** Internal errors in `match`; the events are redelivered. */
  matchInternalError: 'Match.internalError',
  /** Payments whose events began to wait for an operator. */
  eventStuck: 'Event.stuck',
  /** Messages recognised as duplicates and not sent again. */
  messageRepeated: 'Message.repeated',
  /** Messages that we gave up: no retries or time left, or the endpoint aborted them. */
  messageExhausted: 'Message.exhausted',
  /** Messages no longer wanted: deleted, expired, skipped, disabled or cancelled by the partner. */
  messageCancelled: 'Message.cancelled',
  /** Messages that a recovery sends again. */
  messageRecovered: 'Message.recovered',
  /** Messages queued behind a blocked ordering key instead of attempted. */
  messageParked: 'Message.parked',
  /**
   * How long a message was held before its first attempt, in ms: by an earlier message, a circuit or a pause.
   */
  heldTime: 'HeldTime',
  /** Ordering keys that began to wait for an operator. */
  orderingKeyStuck: 'OrderingKey.stuck',
  /** Queued messages removed because their message does not exist. */
  queuedMessageLost: 'QueuedMessage.lost',
  /** Circuits that entered a state: `Circuit.open`. */
  circuit: (state: CircuitState) => `Circuit.${state}`,
  /** Circuits that opened from closed: their endpoints began to fail. */
  circuitTripped: 'Circuit.tripped',
  /** Subscriptions disabled by an answer of their endpoint, or after days of nothing but failures. */
  subscriptionDisabled: 'Subscription.disabled',
  /** Internal errors in a message group of `deliver`. */
  deliveryInternalError: 'Delivery.internalError',
  /** Records on `deliveries.fifo` that are neither message nor signal, dead-lettered with their reason. */
  recordDeadLettered: 'Record.deadLettered',
  /**
   * Deferred records: their format version is newer than this `deliver`. Counted each time they are received.
   */
  recordDeferred: 'Record.deferred',
  /** How long the oldest record of a batch has been in its queue, in ms. Reported from a minute on. */
  recordAge: 'RecordAge',
  /** Operational events that the bus did not accept. */
  operationalEventLost: 'OperationalEvent.lost',
  /** Requests that passed without being counted against the rate limit of their token. */
  requestUncounted: 'Request.uncounted',
  /** Changes by partners that could not be stored in the audit trail. The log has them. */
  auditLost: 'Audit.lost',
  /** Circuit timers that acted. */
  circuitTimerFired: 'CircuitTimer.fired',
  /** Ordering keys of a backlog to which a circuit timer sent a signal. */
  backlogSignalled: 'Backlog.signalled',
  /** Timers that were obsolete when they were due. */
  timerStale: 'Timer.stale',
  /** Timers dropped because this version cannot read them. */
  timerUnreadable: 'Timer.unreadable',
  /** Internal errors in a timer. */
  timerInternalError: 'Timer.internalError',
  /** Changes of messages that could not be read. The statistics lack them. */
  statisticsUnreadable: 'Statistics.unreadable',
  /** Changes of messages or attempts that could not be read. The archive lacks them. */
  archiveUnreadable: 'Archive.unreadable',
  /** Log entries of our functions about a denied call, counted by one filter on all their logs. */
  accessDenied: 'AccessDenied',
  /** Log entries of the pipeline about an internal error or a dead-lettered record, counted for canaries. */
  internalErrorLogged: 'InternalErrorLogged',
  /** Ordering keys and circuits that a sweep failed to handle, and sweeps that did not finish. */
  sweepInternalError: 'Sweep.internalError',
  /**
   * How long the oldest overdue item has been due, in s: a blocked ordering key, a circuit timer, the first
   * of a draining backlog. Written each minute. The six below are written only while they are not 0.
   */
  oldestDue: 'OldestDue',
  /** How long the oldest ordering key has been in a backlog, in s. */
  oldestInBacklog: 'OldestInBacklog',
  /** Blocked ordering keys whose next attempt is not due yet; counted up to 10,000. */
  waitingOrderingKeys: 'WaitingOrderingKeys',
  /** Ordering keys that wait for an operator, for as long as they do. */
  stuckOrderingKeys: 'StuckOrderingKeys',
  /** Circuits that allow only probes. */
  openCircuits: 'OpenCircuits',
  drainingCircuits: 'DrainingCircuits',
  /** Messages behind circuits that are not closed, as last counted. */
  messagesBehindCircuits: 'MessagesBehindCircuits',
  /** Runs of the doctor: 1 if the synthetic payment arrived, 0 if not. */
  doctorOk: 'Doctor.ok',
} as const;
