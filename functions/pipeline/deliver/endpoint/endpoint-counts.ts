import { type AnswerKind, type Answers, NO_ANSWERS } from '../../../core/attempt/answers.ts';
import type { DeliveryPolicy } from '../../../core/attempt/delivery-policy.ts';
import { isCrowded, isSlow } from '../../../core/circuit/crowding.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { DeliverPorts } from '../ports.ts';
import type { EndpointHealths } from './endpoint-healths.ts';

const SECOND_MS = 1_000;

type Ports = Pick<DeliverPorts, 'saySlow' | 'countAnswers' | 'blindMs'>;

interface UnderWay {
  readonly subscription: Subscription;
  readonly startedAtMs: number;
}

/** With how long its worker had been blind by then. */
interface Watched extends UnderWay {
  readonly blindMs: number;
}

/**
 * What a batch tells other workers about endpoints: how many of its attempts are slow, and the answers of
 * those whose circuit is draining, written together for many attempts.
 *
 * At the first look in each second it says how many attempts are slow at that moment, and learns how many all
 * workers have: a subscription with too many is crowded. One moment of each second, so that the sum over all
 * workers is how many are slow at a time: to count every attempt that was slow at some moment of the second
 * would count those of a partner that answers within two seconds more than twice.
 */
export class EndpointCounts {
  readonly #ports: Ports;
  readonly #endpointHealths: Pick<EndpointHealths, 'tell'>;
  readonly #policy: DeliveryPolicy['circuit'];
  readonly #underWay = new Set<Watched>();
  readonly #telling: Promise<unknown>[] = [];
  #lookedIn: number | undefined;
  #answers = new Map<string, Answers>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    ports: Ports,
    endpointHealths: Pick<EndpointHealths, 'tell'>,
    policy: DeliveryPolicy['circuit'],
  ) {
    this.#ports = ports;
    this.#endpointHealths = endpointHealths;
    this.#policy = policy;
  }

  /** Counts an attempt as under way until it ends. */
  async watch<T>(attempt: UnderWay, end: Promise<T>): Promise<T> {
    const watched = { ...attempt, blindMs: this.#ports.blindMs() };
    this.#underWay.add(watched);
    try {
      return await end;
    } finally {
      this.#underWay.delete(watched);
    }
  }

  /** Counts an answer of a subscription whose circuit is draining. */
  add(subscriptionId: string, kind: AnswerKind): void {
    const known = this.#answers.get(subscriptionId) ?? NO_ANSWERS;
    this.#answers.set(subscriptionId, { ...known, [kind]: known[kind] + 1 });
  }

  /** Tells of what is slow now, and of the answers so far. Does not wait: `told` does. */
  tell(nowMs: number): void {
    this.#saySlow(nowMs);
    void this.#writeAnswers();
  }

  /** Resolves when all is told that was counted, or dropped. */
  async told(): Promise<void> {
    await Promise.all([...this.#telling, this.#writeAnswers()]);
  }

  #writeAnswers(): Promise<unknown> {
    const answers = this.#answers;
    this.#answers = new Map();
    this.#writing = Promise.all([
      this.#writing,
      ...[...answers].map(([id, counts]) => this.#ports.countAnswers(id, counts)),
    ]);
    return this.#writing;
  }

  #saySlow(nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS);
    // The first look comes before anything can be slow. Were the second in which a batch begins a moment of
    // its own, attempts that begin in it would count once too often.
    const isMoment = this.#lookedIn !== undefined && second !== this.#lookedIn;
    this.#lookedIn = second;
    const now = { atMs: nowMs, blindMs: this.#ports.blindMs() };
    const slow = [...this.#underWay].filter(({ startedAtMs, blindMs }) =>
      isSlow({ atMs: startedAtMs, blindMs }, now, this.#policy),
    );
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
}
