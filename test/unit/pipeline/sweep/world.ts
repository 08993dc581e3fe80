import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../../functions/core/attempt/delivery-policy.ts';
import { recoveryTimer } from '../../../../functions/core/message/recovery.ts';
import { keyTimer } from '../../../../functions/core/ordering/timers.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import type { Overdue } from '../../../../functions/core/signal/overdue.ts';
import type { Timer } from '../../../../functions/core/signal/timer.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import type { SweepPorts } from '../../../../functions/pipeline/sweep/ports.ts';
import { sweep } from '../../../../functions/pipeline/sweep/sweep.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { timerName } from '../../../support/timer-name.ts';

export const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);

const NAME = { service_id: 'bakery', subscription_id: 'sub_1' };

function overdue(timer: Timer, checkAt: string, dueInMs?: number): Overdue {
  return {
    timer,
    ...(dueInMs === undefined ? {} : { dueAt: at(dueInMs) }),
    checkAt,
    place: { table: 'a table', address: { name: timerName(timer) }, check: 'check_at' },
  };
}

/** A key that waits; its `check_at` was a second ago. */
export function waiting(payment_id: string, dueInMs: number, checkAt = at(-1_000)): Overdue {
  return overdue(keyTimer({ ...NAME, payment_id }), checkAt, dueInMs);
}

/** An ordering key in the backlog whose oldest message has been over age for a second. */
export function aged(payment_id: string): Overdue {
  return overdue(keyTimer({ ...NAME, payment_id }), at(-1_000));
}

/** A payment that waits for a missing event. */
export function gap(payment_id: string, dueInMs: number): Overdue {
  const payment = { service_id: 'bakery', payment_id, group: 'shard-01' };
  return overdue(gapSignal(payment), at(-1_000), dueInMs);
}

/** A recovery whose step was due two minutes ago. */
export function lostRecovery(): Overdue {
  return overdue(recoveryTimer({ ...NAME, recovery_id: 'rec_1', step: 4 }), at(0));
}

/** A circuit whose timer was due two minutes ago. */
export function forgotten(subscription_id: string): Overdue {
  return overdue({ v: 1, kind: 'circuit', ...NAME, subscription_id, generation: 9 }, at(0));
}

interface Over {
  readonly pages?: readonly (readonly Overdue[])[];
  readonly policy?: Partial<DeliveryPolicy>;
  readonly ports?: (healthy: SweepPorts) => Partial<SweepPorts>;
}

/** The payment or subscription that it is about. */
export function nameOf({ timer }: Overdue): string {
  return timer.kind === 'signal' || timer.kind === 'gap' ? timer.payment_id : timer.subscription_id;
}

/** Indexes and a queue in memory. What was done is told in `log`, in order. */
export function world({ pages = [], policy, ports: broken }: Over = {}) {
  let nowMs = TEN_O_CLOCK_MS;
  const log: string[] = [];
  const faults: [string, unknown][] = [];
  const checks = new Map<string, string>();
  const reports: Parameters<SweepPorts['observer']['swept']>[0][] = [];
  const healthy: SweepPorts = {
    async *overdue(until) {
      log.push(`look until ${until}`);
      yield* pages;
    },
    async moveCheck(overdue, checkAt) {
      if ((checks.get(nameOf(overdue)) ?? overdue.checkAt) !== overdue.checkAt) {
        return false;
      }
      checks.set(nameOf(overdue), checkAt);
      log.push(`move ${nameOf(overdue)} to ${Date.parse(checkAt) - TEN_O_CLOCK_MS}`);
      return true;
    },
    async arm(armings) {
      for (const { timer, dueAtMs } of armings) {
        log.push(`arm ${timerName(timer)} at ${dueAtMs - TEN_O_CLOCK_MS}`);
      }
    },
    observer: {
      swept: (report) => reports.push(report),
      internalError: (error, overdue) => faults.push([nameOf(overdue), error]),
    },
    now: () => nowMs,
  };
  return {
    log,
    faults,
    reports,
    pass: (ms: number) => {
      nowMs += ms;
    },
    sweep: () => sweep({ ...healthy, ...broken?.(healthy) }, { ...DELIVERY_POLICY, ...policy }),
  };
}
