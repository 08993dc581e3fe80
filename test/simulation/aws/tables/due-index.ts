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

/** An index of what sweep has to look at, the earliest check first. */
export class DueIndex<Item> extends LaggingIndex<Item> {
  readonly #checkAtOf: (item: Item) => string;

  constructor({ now, lagMs, whenDue }: DueOptions, checkAtOf: (item: Item) => string) {
    super({
      now,
      lagMs,
      sortOf: checkAtOf,
      whenWritten: (item, visibleAtMs) => whenDue?.(checkAtOf(item), visibleAtMs),
    });
    this.#checkAtOf = checkAtOf;
  }

  get checks(): Check[] {
    return this.outlook.map(({ item, visibleAtMs }) => ({ checkAt: this.#checkAtOf(item), visibleAtMs }));
  }

  /** What is due by then, as far as it can be seen. */
  until(until: string): Item[] {
    const due: Item[] = [];
    for (const item of this.from('')) {
      if (this.#checkAtOf(item) > until) {
        break;
      }
      due.push(item);
    }
    return due;
  }
}
