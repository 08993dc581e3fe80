import type { Stage } from '../../../../lib/app/stage.ts';
import { MAX_PER_SECOND, POLLER, type Polled, pollersOf } from '../../../../lib/pollers.ts';
import type { Resource } from '../ground.ts';
import type { Batches } from '../measured/batch-sizes.ts';
import { eventsPerSecond, type Traffic } from '../usage.ts';

/** Records that SQS gives at a time. */
const FULL = 10;

/**
 * With provisioned pollers, a batch has what comes between two receives, if that is more than without. About
 * as much was simulated: docs/adr/0023.
 */
export function batchesWithPollers(batches: Batches, settings: Stage, traffic: Traffic): Batches {
  const events = eventsPerSecond(traffic);
  const rates = { match: events, deliver: events * traffic.subscriptions };
  const sizeOf = (worker: Polled) => {
    const { minimum = Number.POSITIVE_INFINITY } = pollersOf(settings, worker) ?? {};
    return Math.min(FULL, Math.max(batches[worker], rates[worker] / (minimum * POLLER.receivesPerSecond)));
  };
  return { match: sizeOf('match'), deliver: sizeOf('deliver') };
}

/** The stage with provisioned pollers for this traffic. */
export function polledFor(settings: Stage, workers: 'match' | 'both', traffic: Traffic): Stage {
  const events = eventsPerSecond(traffic);
  // Nobody has less than two.
  const within = (rate: number) => Math.min(MAX_PER_SECOND, Math.max(1, rate));
  return {
    ...settings,
    pollers: {
      eventsPerSecond: within(events),
      ...(workers === 'match' ? {} : { webhooksPerSecond: within(events * traffic.subscriptions) }),
    },
  };
}

/** As the templates are with the pollers of these settings: the mappings of match and deliver have them. */
export function resourcesPolled(resources: readonly Resource[], settings: Stage): readonly Resource[] {
  const [match, deliver] = [pollersOf(settings, 'match'), pollersOf(settings, 'deliver')];
  return resources.map((one) => {
    if (one.type !== 'AWS::Lambda::EventSourceMapping' || !/^(Match|Deliver)/.test(one.id)) {
      return one;
    }
    const { ProvisionedPollerConfig: _, ...properties } = one.properties;
    const pollers = one.id.startsWith('Match') ? match : deliver;
    return {
      ...one,
      properties:
        pollers === undefined
          ? properties
          : { ...properties, ProvisionedPollerConfig: { MinimumPollers: pollers.minimum } },
    };
  });
}
