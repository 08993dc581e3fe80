import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import type { WakePorts } from './ports.ts';
import type { Unreadable } from './wake.ts';

/** Logs and metrics of wake. A drain has a timer each second: only one that did something is logged. */
export const observer: WakePorts['observer'] = {
  timerFired({ service_id, subscription_id }, before, after, signalled) {
    const [from, to] = [before.circuit.state, after.circuit.state];
    if (from !== to || signalled > 0) {
      logger.info('circuit_timer.fired', { service_id, subscription_id, from, to, signalled });
    }
    if (from !== to) {
      count(METRIC.circuit(to));
    }
    count(METRIC.circuitTimerFired);
    count(METRIC.backlogSignalled, signalled);
  },

  recovered(before, after) {
    const { service_id, subscription_id, recovery_id, state } = after;
    const examined = after.examined_count - before.examined_count;
    const resent = after.resent_count - before.resent_count;
    if (resent > 0 || state !== 'running') {
      logger.info('recovery.stepped', { service_id, subscription_id, recovery_id, state, examined, resent });
    }
    count(METRIC.messageRecovered, resent);
  },

  stale(timer) {
    logger.debug('timer.stale', { timer });
    count(METRIC.timerStale);
  },

  internalError(error, timer) {
    logger.error('timer.internal_error', { error: error as Error, timer });
    count(METRIC.timerInternalError);
  },
};

/** Nothing is lost: sweep finds the ordering key or the circuit that the timer was for. */
export function observeUnreadable({ recordId, explanation }: Unreadable): void {
  logger.error('timer.unreadable', { record_id: recordId, explanation });
  count(METRIC.timerUnreadable);
}

function count(name: string, value = 1): void {
  metrics.addMetric(name, MetricUnit.Count, value);
}
