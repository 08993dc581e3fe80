import { DUE_SHARDS } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { SweepPorts } from '../../../functions/pipeline/sweep/ports.ts';
import { sweep } from '../../../functions/pipeline/sweep/sweep.ts';
import { nameOf } from '../aws/tables/due-index.ts';
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
    const tables = [keys, subscriptions, recoveries, sequences];
    if (!tables.some((table) => table.overdue(instant(latestMs)).length > 0)) {
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
  const tables = { keys, subscriptions, recoveries, sequences };
  return {
    async *overdue(until) {
      yield await invocation.callTable(
        'overdue',
        () => [subscriptions, recoveries, sequences].flatMap((table) => table.overdue(until)),
        undefined,
        2 * DUE_SHARDS,
      );
      const due = await invocation.callTable('overdue', () => keys.overdue(until), undefined, 2 * DUE_SHARDS);
      for (let from = 0; from < due.length; from += PAGE) {
        yield due.slice(from, from + PAGE);
      }
    },
    moveCheck(overdue, checkAt) {
      const name = nameOf(overdue);
      const move = () => {
        const moved = tables[overdue.place.table as keyof typeof tables].moveOverdue(overdue, checkAt);
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
