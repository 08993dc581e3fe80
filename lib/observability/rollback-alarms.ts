/**
 * Alarms on faults of ours that a new version can bring: while one of them is on, a deployment goes back. `alarmNameOf` has
 * their whole names. A stage without an archive lacks the one on it.
 */
export const ROLLBACK_ALARMS = [
  'match-errors',
  'deliver-errors',
  'wake-errors',
  'sweep-errors',
  'tally-errors',
  'archive-errors',
  'api-errors',
  'authorize-errors',
  'reference-errors',
  'message-late',
  'delivery-faults',
  'timer-faults',
  'keys-faulted',
  'sweep-faults',
  'api-faults',
  'events-dead-letters',
  'deliveries-dead-letters',
  'retry-timers-dead-letters',
  'tally-dead-letters',
] as const;
