import { type Recovery, recoveryTimer } from '../../../../functions/core/message/recovery.ts';
import type { Overdue } from '../../../../functions/core/signal/overdue.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { DueIndex, type DueOptions, nameOf } from './due-index.ts';

interface Options extends DueOptions {
  readonly graceMs: number;
}

/** The newest recovery of each subscription: reads are strongly consistent, the index of what is due lags. */
export class RecoveryTable {
  /** Each write of a recovery, in order. */
  readonly writes: { readonly atMs: number; readonly recovery: Recovery }[] = [];
  /** Those that their partners have stopped. */
  readonly stopped = new Set<string>();
  readonly #newest = new Map<string, Recovery>();
  readonly #checks = new Map<string, string>();
  readonly #due: DueIndex;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.#due = new DueIndex(options, 'recoveries');
  }

  get all(): readonly Recovery[] {
    return [...this.#newest.values()];
  }

  /** @returns false while another recovery of the subscription is running */
  start(recovery: Recovery): boolean {
    if (this.find(recovery)?.state === 'running') {
      return false;
    }
    this.#write(recovery);
    return true;
  }

  find({ subscription_id }: Pick<Recovery, 'subscription_id'>): Recovery | undefined {
    return this.#newest.get(subscription_id);
  }

  advance(before: Recovery, after: Recovery): boolean {
    const current = this.find(before);
    if (current?.recovery_id !== before.recovery_id || current.step !== before.step) {
      return false;
    }
    this.#write(after);
    return true;
  }

  /** As the index shows it. */
  overdue(until: string): readonly Overdue[] {
    return this.#due.until(until);
  }

  get checks() {
    return this.#due.checks;
  }

  moveOverdue(overdue: Overdue, to: string): boolean {
    const subscriptionId = nameOf(overdue);
    const current = this.#checks.get(subscriptionId);
    if (current !== overdue.checkAt && current !== to) {
      return false;
    }
    this.#check(subscriptionId, to);
    return true;
  }

  #write(recovery: Recovery): void {
    const { now, graceMs } = this.#options;
    this.#newest.set(recovery.subscription_id, recovery);
    this.writes.push({ atMs: now(), recovery });
    const checkAt = recovery.state === 'running' ? instant(now() + graceMs) : undefined;
    this.#check(recovery.subscription_id, checkAt);
  }

  #check(subscriptionId: string, checkAt: string | undefined): void {
    if (checkAt === undefined) {
      this.#checks.delete(subscriptionId);
      this.#due.write(subscriptionId, undefined);
    } else {
      this.#checks.set(subscriptionId, checkAt);
      const recovery = this.#newest.get(subscriptionId)!;
      this.#due.write(subscriptionId, { timer: recoveryTimer(recovery), checkAt });
    }
  }
}
