import type { CheckPlace, Overdue } from '../../../../functions/core/signal/overdue.ts';
import type { Timer } from '../../../../functions/core/signal/timer.ts';
import { LaggingIndex } from './lagging-index.ts';

export interface DueOptions {
  readonly now: () => number;
  /** How long the next change takes to the index. */
  readonly lagMs: () => number;
  /** Sweep has to look at the index then. */
  readonly whenDue?: (checkAt: string, visibleAtMs: number) => void;
}

/** When sweep has to look at an index, and from when on there is something to see. */
interface Check {
  readonly checkAt: string;
  readonly visibleAtMs: number;
}

/** An item that has a check. */
interface Due {
  readonly timer: Timer;
  readonly dueAt?: string;
  readonly checkAt: string;
}

/** An index of what sweep has to look at, the earliest check first. */
export class DueIndex {
  readonly #index: LaggingIndex<Overdue>;
  readonly #table: string;
  readonly #check: CheckPlace['check'];

  constructor({ now, lagMs, whenDue }: DueOptions, table: string, check: CheckPlace['check'] = 'check_at') {
    this.#table = table;
    this.#check = check;
    this.#index = new LaggingIndex({
      now,
      lagMs,
      sortOf: ({ checkAt }) => checkAt,
      whenWritten: ({ checkAt }, visibleAtMs) => whenDue?.(checkAt, visibleAtMs),
    });
  }

  /** @param due undefined when it has no check any more */
  write(name: string, due: Due | undefined, waitMs = 0): void {
    const place = { table: this.#table, address: { name }, check: this.#check };
    this.#index.write(name, due && { ...due, place }, waitMs);
  }

  get checks(): Check[] {
    return this.#index.outlook.map(({ item: { checkAt }, visibleAtMs }) => ({ checkAt, visibleAtMs }));
  }

  /** What is due by then, as far as it can be seen. */
  until(until: string): Overdue[] {
    const due: Overdue[] = [];
    for (const overdue of this.#index.from('')) {
      if (overdue.checkAt > until) {
        break;
      }
      due.push(overdue);
    }
    return due;
  }
}

/** The name of an overdue item, as given to `write`. */
export function nameOf({ place }: Overdue): string {
  return String(place.address.name);
}
