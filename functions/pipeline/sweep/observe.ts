import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import type { MeasurePorts } from './measure.ts';
import type { SweepPorts } from './ports.ts';

/** Logs and metrics of sweep. */
export const observer: SweepPorts['observer'] = {
  swept({ found, woken, latestMs, isComplete }) {
    if (found > 0 || !isComplete) {
      logger.info('sweep.done', { found, woken, latest_ms: latestMs, is_complete: isComplete });
    }
    // The rest is left to the next sweep.
    if (!isComplete) {
      count(METRIC.sweepInternalError);
    }
  },

  internalError(error, { timer }) {
    logger.error('sweep.internal_error', { error: error as Error, timer });
    count(METRIC.sweepInternalError);
  },
};

/**
 * Without data of the first, the alarm `oldest-due` goes off. The others are written only while something
 * waits: each hour with a value costs.
 */
export const measureObserver: MeasurePorts['observer'] = {
  measured(waits) {
    const seconds = (name: string, ms: number) => metrics.addMetric(name, MetricUnit.Seconds, ms / 1_000);
    seconds(METRIC.oldestDue, waits.oldestDueMs);
    if (waits.oldestInBacklogMs > 0) {
      seconds(METRIC.oldestInBacklog, waits.oldestInBacklogMs);
    }
    countAny(METRIC.waitingOrderingKeys, waits.waitingKeys);
    countAny(METRIC.stuckOrderingKeys, waits.stuckKeys);
    countAny(METRIC.openCircuits, waits.openCircuits);
    countAny(METRIC.drainingCircuits, waits.drainingCircuits);
    countAny(METRIC.messagesBehindCircuits, waits.messagesBehindCircuits);
  },

  unmeasured(error) {
    logger.error('sweep.unmeasured', { error: error as Error });
  },
};

/** Each sweep finds the item again, until an operator has fixed it. */
export function observeUnreadable(error: Error): void {
  logger.error('sweep.internal_error', { error });
  count(METRIC.sweepInternalError);
}

function count(name: string): void {
  metrics.addMetric(name, MetricUnit.Count, 1);
}

function countAny(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
