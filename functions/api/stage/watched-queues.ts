/**
 * The queues that a stage looks at, by the alarm about each, which leads into the runbook. `worker` is the
 * function that says how old its records are when it takes them.
 */
export const WATCHED_QUEUES = {
  'events-oldest': { kind: 'work', worker: 'match' },
  'deliveries-oldest': { kind: 'work', worker: 'deliver' },
  'retry-timers-oldest': { kind: 'work' },
  'rule-dead-letters': { kind: 'dead_letters' },
  'events-dead-letters': { kind: 'dead_letters' },
  'deliveries-dead-letters': { kind: 'dead_letters' },
  'retry-timers-dead-letters': { kind: 'dead_letters' },
  'statistics-dead-letters': { kind: 'dead_letters' },
  'archive-dead-letters': { kind: 'dead_letters' },
  'events-unclaimed': { kind: 'dead_letters' },
} as const satisfies Readonly<
  Record<string, { readonly kind: 'work' | 'dead_letters'; readonly worker?: string }>
>;

export type WatchedQueue = keyof typeof WATCHED_QUEUES;

export interface LookedAt {
  readonly runbook: WatchedQueue;
  readonly kind: 'work' | 'dead_letters';
  readonly worker?: string;
  readonly name: string;
  readonly url: string;
}

/**
 * @param names by the alarm, in the order in which they are shown; a stage without an archive has no queue of
 * it
 * @param neighbourUrl of another queue of the stage: their URLs differ in the name only
 */
export function lookedAt(
  names: Readonly<Partial<Record<WatchedQueue, string>>>,
  neighbourUrl: string,
): LookedAt[] {
  const base = neighbourUrl.slice(0, neighbourUrl.lastIndexOf('/') + 1);
  return Object.entries(names).map(([runbook, name]) => ({
    runbook: runbook as WatchedQueue,
    ...WATCHED_QUEUES[runbook as WatchedQueue],
    name,
    url: `${base}${name}`,
  }));
}
