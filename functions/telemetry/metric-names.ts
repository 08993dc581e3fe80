import type { CircuitState } from '../core/circuit/circuit.ts';

/** CloudWatch namespace of all our own metrics. */
export const METRIC_NAMESPACE = 'Payhooks';

/** Names of our metrics; the stacks that alarm on them import them from here. */
export const METRIC = {
  /** From admission to the start of the first attempt, in ms. */
  timeToSend: 'TimeToSend',
  /** One HTTP try from look-up to the last byte read, in ms. */
  attemptDuration: 'AttemptDuration',
  /** Tries by outcome: `Attempt.delivered`, or `Attempt.` and the class of the failure. */
  attempt: (outcome: string) => `Attempt.${outcome}`,
  /** Test pings that were attempted; they count as nothing else. */
  pinged: 'Ping.attempted',
  /** Events that no subscription wanted, or whose service nobody knows. */
  eventUnrouted: 'Event.unrouted',
  /** Events that could not be used and lie in the dead letters with their reason. */
  eventBuried: 'Event.buried',
  /** Those among them whose service's routes are there and cannot be read: nothing of that service goes out. */
  routesUnreadable: 'Routes.unreadable',
  /** Faults of ours that events met; they come again. */
  matchFault: 'Match.fault',
  /** Messages that were recognised as repeats and not sent again. */
  messageRepeated: 'Message.repeated',
  /** Messages that were given up: their schedule or their time used up, or the receiver will never take them. */
  messageExhausted: 'Message.exhausted',
  /** Messages that ended without being wanted any more: deleted, expired, skipped. */
  messageCancelled: 'Message.cancelled',
  /** Messages that a recovery asked for again. */
  messageRecovered: 'Message.recovered',
  /** Messages that were put in a paused key instead of being attempted. */
  messageParked: 'Message.parked',
  /** How long a message was held before its first attempt, in ms: behind an earlier one, a circuit, a pause. */
  heldTime: 'HeldTime',
  /** Keys that wait for an operator from now on. */
  keyFaulted: 'Key.faulted',
  /** Pointers that were removed because nobody knows their message. */
  pointerLost: 'Pointer.lost',
  /** Circuits that came into a state: `Circuit.open`. */
  circuit: (state: CircuitState) => `Circuit.${state}`,
  /** Circuits that were closed and opened: their endpoints have begun to fail. */
  circuitTripped: 'Circuit.tripped',
  /** Subscriptions that were disabled: by their receiver's word, or after days of nothing but failures. */
  subscriptionDisabled: 'Subscription.disabled',
  /** Faults of ours that one group met. */
  deliveryFault: 'Delivery.fault',
  /** Records on `deliveries.fifo` that are neither message nor hint, and lie in the dead letters with their reason. */
  recordBuried: 'Record.buried',
  /** Records that wait for a version of `deliver` that knows theirs, each time they are received. */
  recordHeld: 'Record.held',
  /** How long the oldest record of a batch has been in its queue, in ms; told from a minute on. */
  recordAge: 'RecordAge',
  /** Operational events that the bus did not take. */
  operationalEventLost: 'OperationalEvent.lost',
  /** Requests that were let pass without having been counted against the limit of their token. */
  requestUncounted: 'Request.uncounted',
  /** Changes by partners that are not in the audit trail: the log has them. */
  auditLost: 'Audit.lost',
  /** Ticks of circuits that were carried out. */
  timerTicked: 'Timer.ticked',
  /** Keys in line that a tick hinted. */
  lineHinted: 'Line.hinted',
  /** Timers that meant nothing any more. */
  timerStale: 'Timer.stale',
  /** Timers that were dropped because this version cannot read them. */
  timerUnreadable: 'Timer.unreadable',
  /** Faults of ours that a timer met. */
  timerFault: 'Timer.fault',
  /** Changes of messages that could not be read, and count as nothing in the statistics. */
  tallyUnreadable: 'Tally.unreadable',
  /** Changes of messages or attempts that could not be read: the archive lacks them. */
  archiveUnreadable: 'Archive.unreadable',
  /** Lines of our functions that say that a call was not allowed; counted by a filter on their logs, for all together. */
  accessDenied: 'AccessDenied',
  /** Lines of the pipeline's functions that tell of a fault of ours, or of a record put aside; counted by a filter, where a canary looks at it. */
  faultLogged: 'FaultLogged',
  /** Keys and circuits that a sweep could not see to, and sweeps that did not get through all that was overdue. */
  sweepFault: 'Sweep.fault',
  /**
   * How long ago the oldest thing was due that nobody has seen to, in s: a paused key, a tick, the first in a line that moves. Written each minute; the six
   * that follow, while they are not 0.
   */
  oldestDue: 'OldestDue',
  /** How long the oldest key has been in a line, in s. */
  oldestInLine: 'OldestInLine',
  /** Paused keys that wait for their time; counted up to 10,000. */
  waitingKeys: 'WaitingKeys',
  /** Keys that wait for an operator, for as long as they do. */
  operatorsKeys: 'OperatorsKeys',
  /** Circuits that let nothing but probes pass. */
  openCircuits: 'OpenCircuits',
  drainingCircuits: 'DrainingCircuits',
  /** Messages behind circuits that are not closed, as last counted. */
  messagesBehindCircuits: 'MessagesBehindCircuits',
  /** Examinations by the doctor: 1 when the synthetic payment has arrived, 0 when not. */
  doctorOk: 'Doctor.ok',
} as const;
