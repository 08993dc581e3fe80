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
  /** Events that no subscription wanted, or whose service nobody knows. */
  eventUnrouted: 'Event.unrouted',
  /** Events that could not be used and lie in the dead letters with their reason. */
  eventBuried: 'Event.buried',
  eventMatched: 'Event.matched',
  /** Messages that were recognised as repeats and not sent again. */
  messageRepeated: 'Message.repeated',
} as const;
