import type { Recovery } from '../../../../functions/core/message/recovery.ts';
import type { Overdue } from '../../../../functions/core/ordering/overdue.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { LaggingIndex } from './lagging-index.ts';

type OverdueRecovery = Extract<Overdue, { kind: 'recovery' }>;

interface Options {
  readonly now: () => number;
  readonly lagMs: () => number;
  readonly graceMs: number;
  /** Sweep has to look at the due index then. */
  readonly whenDue?: (checkAt: string, visibleAtMs: number) => void;
}

/** The newest recovery of each subscription: reads are strongly consistent, the index of what is due lags. */
export class RecoveryTable {
  /** Each write of a recovery, in order. */
  readonly writes: { readonly atMs: number; readonly recovery: Recovery }[] = [];
  readonly #newest = new Map<string, Recovery>();
  readonly #checks = new Map<string, string>();
  readonly #due: LaggingIndex<OverdueRecovery>;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    const { now, lagMs, whenDue } = options;
    this.#due = new LaggingIndex({
      now,
      lagMs,
      sortOf: ({ checkAt }) => checkAt,
      whenWritten: ({ checkAt }, visibleAtMs) => whenDue?.(checkAt, visibleAtMs),
    });
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
  get due(): readonly OverdueRecovery[] {
    return this.#due.items;
  }

  /** When sweep has to look at the due index, and from when on there is something to see. */
  get checks(): readonly { readonly checkAt: string; readonly visibleAtMs: number }[] {
    return this.#due.outlook.map(({ item, visibleAtMs }) => ({ checkAt: item.checkAt, visibleAtMs }));
  }

  moveCheck(subscriptionId: string, from: string, to: string): boolean {
    if (this.#checks.get(subscriptionId) !== from) {
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
      this.#due.write(subscriptionId, { kind: 'recovery', recovery, checkAt });
    }
  }
}
