import { hash } from 'node:crypto';

import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { RememberedFor } from './remembered-for.ts';

/** Source: Amazon SQS Developer Guide, "Exactly-once processing". */
const REMEMBERED_MS = 5 * 60_000;

/** The ids that a FIFO queue remembers, by group as in high-throughput mode. */
export class Deduplication {
  readonly #seen: RememberedFor<true>;

  constructor(clock: VirtualClock) {
    this.#seen = new RememberedFor(REMEMBERED_MS, () => clock.now());
  }

  /**
   * Whether the entry repeats one of the last five minutes. If not, it is remembered. Without an id, the
   * content is the id.
   */
  isRepeat(entry: {
    readonly body: string;
    readonly group: string;
    readonly deduplicationId?: string;
  }): boolean {
    const id = entry.deduplicationId ?? hash('sha256', entry.body);
    const name = `${entry.group} ${id}`;
    const isRepeat = this.#seen.get(name) !== undefined;
    if (!isRepeat) {
      this.#seen.set(name, true);
    }
    return isRepeat;
  }
}
