import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { OperationalBus } from '../adapters/operational-bus.ts';
import type { OperationalEvent } from '../core/operational-event.ts';
import { logger } from './logger.ts';
import { METRIC } from './metric-names.ts';
import { metrics } from './metrics.ts';

let collected: OperationalEvent[] = [];

/** Keeps what is to be told until the invocation has done its work: nobody waits for it. */
export function collect(events: readonly OperationalEvent[]): void {
  collected.push(...events);
}

/** Tells what was collected, at the end of an invocation; calls nothing where nothing was. Never rejects: what is lost is logged and counted. */
export async function tellCollected(bus: OperationalBus): Promise<void> {
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
}
