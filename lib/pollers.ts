import type { Settings } from './settings.ts';

/**
 * What one provisioned poller of SQS does at most. Source: "Configuring scaling behavior for SQS event source
 * mappings", AWS Lambda Developer Guide.
 */
export const POLLER = { receivesPerSecond: 10, invocations: 10 } as const;

/**
 * Records a second for which we provision a poller: its ten receives take 6.5 each, and batches have room for
 * half as many again before Lambda has to add pollers.
 */
const RECORDS_PER_SECOND = 65;

/** Of `MinimumPollers` of an SQS mapping. Source: "ProvisionedPollerConfig", AWS Lambda API Reference. */
const MINIMUM = { least: 2, most: 200 } as const;
export const MAX_PER_SECOND = MINIMUM.most * RECORDS_PER_SECOND;

/** Workers whose queue provisioned pollers may read, and whose rate decides how many. */
export type Polled = 'match' | 'deliver';
const RATE_OF = { match: 'eventsPerSecond', deliver: 'webhooksPerSecond' } as const;

export interface Pollers {
  readonly minimum: number;
  readonly maximum: number;
}

type Polling = Pick<Settings, 'emulated' | 'pollers' | 'concurrency'> & { readonly name: string };

/**
 * The provisioned pollers of a worker's queue; undefined where Lambda's own read it.
 *
 * The minimum follows from the rate: pollers beyond it would take records one by one. The maximum has room for
 * all workers of the stage, since calls that hang hold their poller's invocations: Lambda adds pollers while
 * records wait. The least, two, hold 20 invocations: one for each of 16 shards and for the rest. On prod, with
 * 64 shards, that many from the start would leave no batches at the usual rates.
 *
 * @throws when a rate is not above 0, or above what 200 pollers take
 */
export function pollersOf(
  { name, emulated, pollers, concurrency }: Polling,
  worker: Polled,
): Pollers | undefined {
  // The emulator ignores them, and would then run as many batches as come.
  if (pollers === undefined || emulated) {
    return undefined;
  }
  const rate = pollers[RATE_OF[worker]];
  if (rate === undefined) {
    return undefined;
  }
  if (!(rate > 0 && rate <= MAX_PER_SECOND)) {
    throw new Error(
      `${name}: pollers.${RATE_OF[worker]} must be a number above 0, up to ${MAX_PER_SECOND}, but is ${rate}`,
    );
  }
  const minimum = Math.max(MINIMUM.least, Math.ceil(rate / RECORDS_PER_SECOND));
  return { minimum, maximum: Math.max(minimum, Math.ceil(concurrency[worker] / POLLER.invocations)) };
}

/** What reads a worker's queue: provisioned pollers, or Lambda's own with this many workers at most. */
export function readBy(settings: Polling, worker: Polled): number | Pollers {
  return pollersOf(settings, worker) ?? settings.concurrency[worker];
}

/** The most workers at a time: pollers hold tens of them, so they may round the stage's number up. */
export function maxWorkersOf(settings: Polling, worker: Polled): number {
  const pollers = pollersOf(settings, worker);
  return pollers === undefined ? settings.concurrency[worker] : pollers.maximum * POLLER.invocations;
}
