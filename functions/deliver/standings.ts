import type { DeliveryPolicy } from '../core/delivery-policy.ts';
import { nextStanding, type Standing, type StandingInput, standingOf } from '../core/standing.ts';
import type { Subscription } from '../core/subscription.ts';
import type { Arming, DeliverPorts } from './ports.ts';

/** How the subscriptions of a batch stand: as they were read, and as this batch has changed them since. */
export class Standings {
  readonly #ports: Pick<DeliverPorts, 'changeStanding' | 'arm' | 'now' | 'observer'>;
  readonly #policy: DeliveryPolicy;
  readonly #known = new Map<string, Standing>();
  /** Changes of one subscription follow one another: together they would only refuse each other. */
  readonly #last = new Map<string, Promise<void>>();
  /** What is told while a change is being written is written together, next. */
  readonly #next = new Map<string, { readonly inputs: StandingInput[]; readonly told: Promise<void> }>();

  constructor(
    ports: Pick<DeliverPorts, 'changeStanding' | 'arm' | 'now' | 'observer'>,
    policy: DeliveryPolicy,
  ) {
    this.#ports = ports;
    this.#policy = policy;
  }

  of(subscription: Subscription): Standing {
    return this.#known.get(subscription.subscription_id) ?? standingOf(subscription);
  }

  /**
   * Tells what has happened; where that changes nothing, as on all that goes well, nothing is called. Never rejects: a change that could not be
   * written is dropped.
   */
  async tell(subscription: Subscription, inputs: readonly StandingInput[]): Promise<Standing> {
    const next = this.#next.get(subscription.subscription_id) ?? this.#changeNext(subscription);
    next.inputs.push(...inputs);
    await next.told;
    return this.of(subscription);
  }

  #changeNext(subscription: Subscription) {
    const { subscription_id } = subscription;
    const inputs: StandingInput[] = [];
    const before = this.#last.get(subscription_id);
    const told = (async () => {
      await before;
      this.#next.delete(subscription_id);
      await this.#change(subscription, inputs);
    })();
    const next = { inputs, told };
    this.#last.set(subscription_id, told);
    this.#next.set(subscription_id, next);
    return next;
  }

  async #change(subscription: Subscription, inputs: readonly StandingInput[]): Promise<void> {
    const known = this.of(subscription);
    const change = (standing: Standing) =>
      inputs.reduce((next, input) => nextStanding(next, input, this.#ports.now(), this.#policy), standing);
    if (change(known) === known) {
      return;
    }
    const changed = await this.#ports.changeStanding({ ...subscription, ...known }, change);
    if (changed === undefined) {
      return;
    }
    const { before, after } = changed;
    this.#known.set(subscription.subscription_id, after);
    if (after !== before) {
      this.#ports.observer.standingChanged(subscription, before, after);
      await this.#ports.arm(this.#tickOf(subscription, before, after));
    }
  }

  #tickOf(subscription: Subscription, { circuit: before }: Standing, { circuit }: Standing): Arming[] {
    const dueAtMs = Date.parse(circuit.tick_at ?? '');
    const { service_id, subscription_id } = subscription;
    const timer = { v: 1, kind: 'tick', service_id, subscription_id, tick: circuit.tick } as const;
    const isWanted =
      circuit.tick !== before.tick && dueAtMs - this.#ports.now() <= this.#policy.longestTimerMs;
    return isWanted ? [{ timer, dueAtMs }] : [];
  }
}
