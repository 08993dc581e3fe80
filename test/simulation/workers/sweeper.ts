import { DUE_SHARDS } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { Overdue } from '../../../functions/core/ordering/overdue.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import type { SweepPorts } from '../../../functions/pipeline/sweep/ports.ts';
import { sweep } from '../../../functions/pipeline/sweep/sweep.ts';
import type { Timer } from '../clock/virtual-clock.ts';
import { armer } from '../people/sending.ts';
import { reporter, type Surface } from '../surface.ts';
import { Invocation, type Surroundings } from './invocation.ts';

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 60_000;
const PAGE = 3;

/**
 * Runs the real `sweep` at full minutes, as EventBridge Scheduler does, one at a time. Skips runs that would
 * find nothing, so days in which nothing is due cost no time.
 */
export class Sweeper {
  readonly invocations: Invocation[] = [];
  readonly #around: Surroundings;
  readonly #behindMs: number;
  #surface: Surface | undefined;
  #next: Timer | undefined;

  /** @param behindMs how far workers' clocks are behind */
  constructor(around: Surroundings, behindMs: number) {
    this.#around = around;
    this.#behindMs = behindMs;
  }

  start(surface: Surface): void {
    this.#surface = surface;
  }

  /** Something will be overdue then, and visible in its index. */
  expect(checkAt: string, visibleAtMs: number): void {
    this.#runAt(Math.max(Date.parse(checkAt) + this.#behindMs, visibleAtMs));
  }

  get isBusy(): boolean {
    return this.invocations.at(-1)?.lives ?? false;
  }

  #runAt(ms: number): void {
    const { clock } = this.#around;
    const minuteMs = Math.ceil(Math.max(ms, clock.now() + 1) / MINUTE_MS) * MINUTE_MS;
    if (this.#next?.act === undefined || minuteMs < this.#next.dueAtMs) {
      clock.cancel(this.#next);
      this.#next = clock.at(minuteMs, () => void this.#run());
    }
  }

  async #run(): Promise<void> {
    const { clock } = this.#around;
    const surface = this.#surface!;
    if (this.isBusy) {
      this.#runAt(clock.now() + 1);
      return;
    }
    const latestMs = clock.now() - this.#behindMs;
    const { keys, subscriptions, recoveries, sequences } = surface;
    const checks = [
      ...keys.due().map((key) => key.check_at),
      ...keys.aging().map((key) => key.age_check_at),
      ...[...subscriptions.due(), ...recoveries.due, ...sequences.due].map((one) => one.checkAt),
    ];
    if (!checks.some((checkAt) => Date.parse(checkAt) <= latestMs)) {
      this.#lookAgain();
      return;
    }
    const invocation = new Invocation(`sweep ${this.invocations.length + 1}`, this.#around, () => {
      this.#lookAgain();
    });
    this.invocations.push(invocation);
    invocation.endsAt(clock.at(clock.now() + TIMEOUT_MS, () => invocation.kill('timed_out')));
    try {
      await sweep(sweepPorts(invocation, surface), surface.policy);
      invocation.end('ended');
    } catch (error) {
      invocation.error = error;
      invocation.end('failed');
    }
    this.#lookAgain();
  }

  #lookAgain(): void {
    const { keys, subscriptions, recoveries, sequences } = this.#surface!;
    const checks = [keys, subscriptions, recoveries, sequences].flatMap((table) => [...table.checks]);
    for (const { checkAt, visibleAtMs } of checks) {
      this.expect(checkAt, visibleAtMs);
    }
  }
}

export function sweepPorts(
  invocation: Invocation,
  { keys, subscriptions, recoveries, sequences, timers, listener }: Surface,
): SweepPorts {
  const moverOf = {
    key: keys.moveCheck.bind(keys),
    aged_key: keys.moveAgeCheck.bind(keys),
    circuit: subscriptions.moveCheck.bind(subscriptions),
    recovery: recoveries.moveCheck.bind(recoveries),
    gap: sequences.moveCheck.bind(sequences),
  };
  return {
    async *overdue(until) {
      const others = await invocation.callTable(
        'overdue',
        () =>
          [...subscriptions.due(), ...recoveries.due, ...sequences.due].filter(
            ({ checkAt }) => checkAt <= until,
          ),
        undefined,
        2 * DUE_SHARDS,
      );
      yield others;
      const due = await invocation.callTable(
        'overdue',
        () => [
          ...keys.due(until).map((key): Overdue => ({ kind: 'key', key, checkAt: key.check_at })),
          ...keys.aging(until).map((key): Overdue => ({ kind: 'aged_key', key, checkAt: key.age_check_at })),
        ],
        undefined,
        2 * DUE_SHARDS,
      );
      for (let from = 0; from < due.length; from += PAGE) {
        yield due.slice(from, from + PAGE);
      }
    },
    moveCheck(overdue, checkAt) {
      const name = nameOf(overdue);
      const move = () => {
        const moved = moverOf[overdue.kind](name, overdue.checkAt, checkAt);
        invocation.tell(() => `${moved ? 'wakes' : 'leaves'} ${name}`);
        return moved;
      };
      return invocation.callTable('moveCheck', move, name);
    },
    arm: armer(invocation, timers),
    observer: {
      swept() {},
      internalError: reporter(invocation, listener),
    },
    now: invocation.workersTime,
  };
}

function nameOf(overdue: Overdue): string {
  switch (overdue.kind) {
    case 'key':
    case 'aged_key':
      return overdue.key.ordering_key;
    case 'gap':
      return paymentKey(overdue.payment);
    case 'circuit':
      return overdue.subscription.subscription_id;
    case 'recovery':
      return overdue.recovery.subscription_id;
  }
}
