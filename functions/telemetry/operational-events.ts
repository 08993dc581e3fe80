import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { OperationalBus } from '../adapters/eventbridge/operational-bus.ts';
import type { OperationalEvent } from '../core/operational-events/operational-event.ts';
import { logger } from './logger.ts';
import { METRIC } from './metric-names.ts';
import { metrics } from './metrics.ts';

/**
 * The operational events of one invocation. One instance per invocation, because others may run concurrently.
 */
export interface OperationalEvents {
  /** Keeps events until the invocation has done its work, so that no delivery waits for them. */
  collect(events: readonly OperationalEvent[]): void;
  /** Publishes the collected events once, if any. Never rejects: lost events are logged and counted. */
  tell(): Promise<void>;
}

export function operationalEvents(bus: OperationalBus): OperationalEvents {
  let collected: OperationalEvent[] = [];
  return {
    collect(events) {
      collected.push(...events);
    },

    async tell() {
      const events = collected;
      collected = [];
      if (events.length === 0) {
        return;
      }
      const lost = await bus(events);
      for (const { event, reason } of lost) {
        logger.error('event.lost', { event, reason });
      }
      if (lost.length > 0) {
        metrics.addMetric(METRIC.operationalEventLost, MetricUnit.Count, lost.length);
      }
    },
  };
}
