import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import type { Standing } from './schedules.ts';
import { scheduledIn } from './schedules.ts';

/** Metrics that each sweep writes, whatever waits. */
export const WRITTEN_BY_SWEEP: readonly string[] = [METRIC.oldestDue];

/** Those that a payment writes that goes through: the doctor's each time. */
export const WRITTEN_FOR_A_PAYMENT = {
  deliver: [METRIC.attempt('delivered'), METRIC.timeToAcknowledge, METRIC.timeToSend],
  doctor: [METRIC.doctorOk],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** `service Name`, each a metric of its own to CloudWatch, which bills the hours in which it is written. */
export function metricsWhileIdle(standing: Omit<Standing, 'measured'>): ReadonlySet<string> {
  const runs = new Set(scheduledIn(standing).map(({ worker }) => worker.name));
  const written: Readonly<Record<string, readonly string[]>> = {
    ...(runs.has('sweep') ? { sweep: WRITTEN_BY_SWEEP } : {}),
    ...(runs.has('doctor') ? WRITTEN_FOR_A_PAYMENT : {}),
  };
  return new Set(
    Object.entries(written).flatMap(([service, its]) =>
      standing.functions.has(service) ? its.map((name) => `${service} ${name}`) : [],
    ),
  );
}
