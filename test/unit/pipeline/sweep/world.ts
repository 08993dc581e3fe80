import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../../functions/core/attempt/delivery-policy.ts';
import { type Overdue, subjectOf } from '../../../../functions/core/ordering/overdue.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import type { SweepPorts } from '../../../../functions/pipeline/sweep/ports.ts';
import { sweep } from '../../../../functions/pipeline/sweep/sweep.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { timerName } from '../../../support/timer-name.ts';

export const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);

/** A key that waits; its `check_at` was a second ago. */
export function waiting(payment_id: string, dueInMs: number, checkAt = at(-1_000)): Overdue {
  const name = { service_id: 'bakery', subscription_id: 'sub_1', payment_id };
  return {
    kind: 'key',
    checkAt,
    key: {
      ...name,
      state: 'waiting',
      ordering_key: `sub_1.${payment_id}`,
      revision: 1,
      oldest_since: at(-60_000),
      due_at: at(dueInMs),
      check_at: checkAt,
    },
  };
}

/** An ordering key in the backlog whose oldest message has been over age for a second. */
export function aged(payment_id: string): Overdue {
  const name = { service_id: 'bakery', subscription_id: 'sub_1', payment_id };
  return { kind: 'aged_key', checkAt: at(-1_000), key: { ...name, ordering_key: `sub_1.${payment_id}` } };
}

/** A payment that waits for a missing event. */
export function gap(payment_id: string, dueInMs: number): Overdue {
  const payment = { service_id: 'bakery', payment_id, group: 'shard-01', due_at: at(dueInMs) };
  return { kind: 'gap', payment, checkAt: at(-1_000) };
}

/** A recovery whose step was due two minutes ago. */
export function lostRecovery(): Overdue {
  const recovery = { service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1', step: 4 };
  return { kind: 'recovery', recovery, checkAt: at(0) };
}

/** A circuit whose timer was due two minutes ago. */
export function forgotten(subscription_id: string, timer_at: string | undefined = at(-120_000)): Overdue {
  const circuit = {
    state: 'closed' as const,
    revision: 5,
    generation: 9,
    ...(timer_at === '' ? {} : { timer_at }),
    failed_ordering_keys: [],
  };
  return {
    kind: 'circuit',
    checkAt: at(0),
    subscription: { service_id: 'bakery', subscription_id, circuit },
  };
}

interface Over {
  readonly pages?: readonly (readonly Overdue[])[];
  readonly policy?: Partial<DeliveryPolicy>;
  readonly ports?: (healthy: SweepPorts) => Partial<SweepPorts>;
}

/** Indexes and a queue in memory. What was done is told in `log`, in order. */
export function world({ pages = [], policy, ports: broken }: Over = {}) {
  let nowMs = TEN_O_CLOCK_MS;
  const log: string[] = [];
  const faults: [string, unknown][] = [];
  const checks = new Map<string, string>();
  const nameOf = (overdue: Overdue) => {
    const { payment_id, subscription_id = '' } = subjectOf(overdue);
    return payment_id ?? subscription_id;
  };
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
