import type { DeliveryPolicy } from '../../../core/attempt/delivery-policy.ts';
import { isCrowded } from '../../../core/circuit/crowding.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { DeliverPorts } from '../ports.ts';
import type { EndpointHealths } from './endpoint-healths.ts';

const SECOND_MS = 1_000;

interface UnderWayAttempt {
  readonly subscription: Subscription;
  readonly startedAtMs: number;
}

/**
 * The attempts of a batch that are under way. At the first look in each second it says how many of them are slow at that moment,
 * and learns how many all workers have: a subscription that has too many of them is crowded.
 *
 * One moment of each second, so that the sum over all workers is how many are slow at a time. Counting every attempt that was
 * slow at some moment of the second counts those of a partner that answers within two seconds more than twice.
 */
export class UnderWay {
  readonly #ports: Pick<DeliverPorts, 'saySlow'>;
  readonly #endpointHealths: Pick<EndpointHealths, 'tell'>;
  readonly #policy: DeliveryPolicy['circuit'];
  readonly #attempts = new Set<UnderWayAttempt>();
  readonly #telling: Promise<unknown>[] = [];
  #lookedIn: number | undefined;

  constructor(
    ports: Pick<DeliverPorts, 'saySlow'>,
    endpointHealths: Pick<EndpointHealths, 'tell'>,
    policy: DeliveryPolicy['circuit'],
  ) {
    this.#ports = ports;
    this.#endpointHealths = endpointHealths;
    this.#policy = policy;
  }

  /** Counts an attempt as under way until it ends. */
  async watch<T>(attempt: UnderWayAttempt, end: Promise<T>): Promise<T> {
    this.#attempts.add(attempt);
    try {
      return await end;
    } finally {
      this.#attempts.delete(attempt);
    }
  }

  /** Does not wait: `told` does. */
  saySlow(nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS);
    // The first look comes before anything can be slow. Were the second in which a batch begins a moment of its own, those that
    // begin in it would count once too often.
    const isMoment = this.#lookedIn !== undefined && second !== this.#lookedIn;
    this.#lookedIn = second;
    const slow = [...this.#attempts].filter(({ startedAtMs }) => nowMs - startedAtMs >= this.#policy.slowMs);
    if (!isMoment || slow.length === 0) {
      return;
    }
    this.#telling.push(this.#tellCrowded(slow.map(({ subscription }) => subscription)));
  }

  async #tellCrowded(slow: readonly Subscription[]): Promise<void> {
    const own = Map.groupBy(slow, ({ subscription_id }) => subscription_id);
    const said = await this.#ports.saySlow(new Map([...own].map(([id, { length }]) => [id, length])));
    const crowded = [...own.values()].flatMap(([subscription]) => {
      const known = subscription && said?.get(subscription.subscription_id);
      return known !== undefined && isCrowded(known, this.#policy) ? [subscription as Subscription] : [];
    });
    await Promise.all(
      crowded.map((subscription) => this.#endpointHealths.tell(subscription, [{ kind: 'crowded' }])),
    );
  }

  /** Resolves when all that was announced is written, or dropped. */
  async told(): Promise<void> {
    await Promise.all(this.#telling);
  }
}
