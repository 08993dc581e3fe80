import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../shared/logger.ts';
import { METRIC } from '../shared/metric-names.ts';
import { metrics } from '../shared/metrics.ts';
import type { MeasurePorts } from './measure.ts';
import { ownerOf, type SweepPorts } from './ports.ts';

/** Lines and metrics of sweep. */
export const observer: SweepPorts['observer'] = {
  swept({ found, woken, latestMs, isComplete }) {
    if (found > 0 || !isComplete) {
      logger.info('sweep.done', { found, woken, latest_ms: latestMs, is_complete: isComplete });
    }
    // A sweep that did not get through does not count: when none does, the alarm on this one goes off.
    count(METRIC.swept, isComplete ? 1 : 0);
    count(METRIC.sweepWoken, woken);
    metrics.addMetric(METRIC.sweepLateness, MetricUnit.Milliseconds, latestMs);
  },

  fault(error, overdue) {
    const { service_id, subscription_id } = ownerOf(overdue);
    logger.error('sweep.fault', {
      error: error as Error,
      kind: overdue.kind,
      service_id,
      subscription_id,
      ...(overdue.kind === 'key' ? { payment_id: overdue.key.payment_id } : {}),
    });
    count(METRIC.sweepFault);
  },
};

/** A figure that is not there is an alarm: see `oldest-due`. */
export const measureObserver: MeasurePorts['observer'] = {
  measured(waits) {
    const seconds = (name: string, ms: number) => metrics.addMetric(name, MetricUnit.Seconds, ms / 1_000);
    seconds(METRIC.oldestDue, waits.oldestDueMs);
    seconds(METRIC.oldestInLine, waits.oldestInLineMs);
    count(METRIC.waitingKeys, waits.waitingKeys);
    count(METRIC.operatorsKeys, waits.faultedKeys);
    count(METRIC.openCircuits, waits.openCircuits);
    count(METRIC.drainingCircuits, waits.drainingCircuits);
    count(METRIC.messagesBehindCircuits, waits.messagesBehindCircuits);
  },

  unmeasured(error) {
    logger.error('sweep.unmeasured', { error: error as Error });
  },
};

/** It stays where it is and is found again by each sweep, until somebody mends it. */
export function observeUnreadable(error: Error): void {
  logger.error('sweep.fault', { error });
  count(METRIC.sweepFault);
}

function count(name: string, value = 1): void {
  metrics.addMetric(name, MetricUnit.Count, value);
}
