import { PRICES_BY_REGION } from '../../../lib/prices.ts';
import { type Estimate, estimate, type Known, type Region } from './estimate.ts';
import type { Batches } from './measured/batch-sizes.ts';
import { polledFor, resourcesPolled } from './parts/pollers.ts';
import type { Traffic } from './usage.ts';

const POLLING = {
  'Lambda’s pollers': 'none',
  'provisioned for match': 'match',
  'for match and deliver': 'both',
} as const;

/** A million webhooks, with what the stage costs anyway, by what reads the queues. In US dollars. */
export interface Way {
  readonly name: string;
  readonly byBus: number;
  /** Publishers send into the queue themselves, each event alone, as EventBridge does. */
  readonly byQueue: number;
  readonly batches: Batches;
}

/** The same traffic in each way that a stage can be set up for it. None without traffic. */
export function waysOf(traffic: Traffic, region: Region, known: Known): Way[] {
  const prices = known.prices ?? PRICES_BY_REGION[region];
  const ofEvents = (prices.customEvent * 1e6) / traffic.subscriptions;
  return Object.entries(POLLING).flatMap(([name, workers]) => {
    const { pollers: _, ...unpolled } = known.settings;
    const settings = workers === 'none' ? unpolled : polledFor(unpolled, workers, traffic);
    const { perMillion, batches }: Estimate = estimate(traffic, region, {
      ...known,
      settings,
      resources: resourcesPolled(known.resources, settings),
    });
    if (perMillion === undefined) {
      return [];
    }
    const byBus = perMillion.idle + perMillion.traffic;
    return [{ name, byBus, byQueue: byBus - ofEvents, batches }];
  });
}
