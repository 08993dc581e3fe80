import { chunks } from '../../adapters/dynamodb/chunks.ts';
import {
  type FirstInBacklog,
  type WaitingItems,
  type WhatWaits,
  whatWaits,
} from '../../core/ordering/waiting-work.ts';

export interface MeasurePorts extends WaitingItems {
  observer: {
    measured(waits: WhatWaits): void;
    unmeasured(error: unknown): void;
  };
  now(): number;
}

/**
 * Measuring costs read units of the indexes, each minute: half a unit per 4 KB, and at least half a unit per
 * query. With nothing waiting, 8 shards of two indexes and the stuck ordering keys are 17 queries, 8.5
 * units, 0.37 million a month: $0.05 at $0.125 a million. 10,000 ordering keys of 500 bytes are 625 units:
 * $3.40 for a month in which they never get fewer. 2,000 circuits are some 1,000 units for their backlogs and
 * 125 for themselves, $6.10.
 */
const MAX = { waitingKeys: 10_000, stuckKeys: 1_000, circuits: 2_000 };

const BACKLOGS_AT_ONCE = 50;

/** Backlogs that are not read by then are left out: sweeping must not wait for metrics. */
const MEASURING_TIME_MS = 10_000;

/** Measures what waits, and for how long. Never rejects: sweeping is more important. */
export async function measure({ observer, ...ports }: MeasurePorts): Promise<void> {
  try {
    observer.measured(await waitingNow(ports));
  } catch (error) {
    observer.unmeasured(error);
  }
}

/** What waits now, and for how long. */
export async function waitingNow(ports: Omit<MeasurePorts, 'observer'>): Promise<WhatWaits> {
  const startedAtMs = ports.now();
  const [dueAts, stuckKeys, timed] = await Promise.all([
    ports.dueAts(MAX.waitingKeys),
    ports.stuckKeys(MAX.stuckKeys),
    ports.timedCircuits(MAX.circuits),
  ]);
  const firsts = new Map<string, FirstInBacklog | undefined>();
  for (const some of chunks(timed, BACKLOGS_AT_ONCE)) {
    if (ports.now() >= startedAtMs + MEASURING_TIME_MS) {
      break;
    }
    await Promise.all(
      some.map(async ({ subscription_id }) =>
        firsts.set(subscription_id, await ports.firstInBacklog(subscription_id)),
      ),
    );
  }
  const circuits = timed.map(({ subscription_id, circuit }) => ({
    circuit,
    first: firsts.get(subscription_id),
  }));
  return whatWaits({ dueAts, stuckKeys, circuits }, ports.now());
}
