import type { AnswerKind } from '../../../core/attempt/answers.ts';
import type { DeliveryPolicy } from '../../../core/attempt/delivery-policy.ts';
import {
  type EndpointHealthInput,
  endpointHealthOf,
  nextEndpointHealth,
} from '../../../core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../core/circuit/health-shape.ts';
import { timerOfCircuit } from '../../../core/ordering/timers.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { DeliverPorts } from '../ports.ts';

/** What an endpoint's health learns of a step. */
export interface EndpointReport {
  readonly subscription: Subscription;
  readonly inputs: readonly EndpointHealthInput[];
  /** What a drain counts; absent when a drain knows it already. */
  readonly news?: AnswerKind;
}

type Ports = Pick<DeliverPorts, 'lookUp' | 'changeEndpointHealth' | 'arm' | 'now' | 'observer'>;

/** The endpoint health of the subscriptions of a batch: as read, and as this batch has changed it since. */
export class EndpointHealths {
  readonly #ports: Ports;
  readonly #policy: DeliveryPolicy;
  readonly #startedAtMs: number;
  readonly #readAtMs = new Map<string, number>();
  readonly #readings = new Map<string, Promise<void>>();
  readonly #known = new Map<string, EndpointHealth>();
  /** Changes of one subscription follow one another: written together, one would refuse the other. */
  readonly #last = new Map<string, Promise<void>>();
  /** What is told while a change is being written, to be written together next. */
  readonly #next = new Map<
    string,
    { readonly inputs: EndpointHealthInput[]; readonly told: Promise<void> }
  >();

  /** Construct it before the subscriptions are read: then none was read before `startedAtMs`. */
  constructor(ports: Ports, policy: DeliveryPolicy) {
    this.#ports = ports;
    this.#policy = policy;
    this.#startedAtMs = ports.now();
  }

  of(subscription: Subscription): EndpointHealth {
    return this.#known.get(subscription.subscription_id) ?? endpointHealthOf(subscription);
  }

  /**
   * Applies what has happened. Calls nothing if that changes nothing, as while an endpoint succeeds quickly.
   * Never rejects: a change that could not be written is dropped.
   */
  async tell(subscription: Subscription, inputs: readonly EndpointHealthInput[]): Promise<EndpointHealth> {
    const next = this.#next.get(subscription.subscription_id) ?? this.#changeNext(subscription);
    next.inputs.push(...inputs);
    await next.told;
    return this.of(subscription);
  }

  #changeNext(subscription: Subscription) {
    const { subscription_id } = subscription;
    const inputs: EndpointHealthInput[] = [];
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

  async #change(subscription: Subscription, inputs: readonly EndpointHealthInput[]): Promise<void> {
    const { readingMs } = this.#policy.circuit;
    const change = (health: EndpointHealth) =>
      inputs.reduce(
        (next, input) => nextEndpointHealth(next, input, this.#ports.now(), this.#policy),
        health,
      );
    const hasEffect = (health: EndpointHealth) => change(health) !== health;
    const isNews = inputs.some(
      (input) => input.kind === 'succeeded' || (input.kind === 'failed' && input.isNews),
    );
    const isOldNews = async () => !isNews || !hasEffect(await this.#reread(subscription, readingMs));
    if (!hasEffect(this.of(subscription)) && (await isOldNews())) {
      return;
    }
    const known = this.of(subscription);
    const changed = await this.#ports.changeEndpointHealth({ ...subscription, ...known }, change);
    if (changed === undefined) {
      return;
    }
    const { before, after } = changed;
    this.#known.set(subscription.subscription_id, after);
    if (after !== before) {
      this.#ports.observer.endpointHealthChanged(subscription, before, after);
    }
    if (after.circuit.generation !== before.circuit.generation) {
      await this.#ports.arm(
        timerOfCircuit(subscription, before.circuit, after.circuit, this.#ports.now(), this.#policy),
      );
    }
  }

  /**
   * The health by now, if what is known is older than the shortest drain: whatever joins the backlog of a
   * circuit that closed later is found within half that time.
   */
  rereadIfOld(subscription: Subscription): Promise<EndpointHealth> {
    return this.#reread(subscription, this.#policy.circuit.crowdedQuietMs);
  }

  /**
   * The health by now, if what is known is old: without this a success would not end failures that other
   * workers have counted since, and a failure after the end of a drain would not be counted. If it cannot be
   * read, what is known stays.
   */
  async #reread(subscription: Subscription, maxAgeMs: number): Promise<EndpointHealth> {
    const { subscription_id } = subscription;
    const nowMs = this.#ports.now();
    const readAtMs = this.#readAtMs.get(subscription_id) ?? this.#startedAtMs;
    if (nowMs - readAtMs >= maxAgeMs) {
      this.#readAtMs.set(subscription_id, nowMs);
      this.#readings.set(subscription_id, this.#read(subscription));
    }
    // Whoever asks while another one reads hears the same.
    await this.#readings.get(subscription_id);
    return this.of(subscription);
  }

  async #read(subscription: Subscription): Promise<void> {
    try {
      const { subscriptions } = await this.#ports.lookUp({
        ...{ subscriptions: [subscription], keys: [], messageIds: [], resources: [] },
      });
      const read = subscriptions.get(subscription.subscription_id);
      if (read !== undefined) {
        this.#known.set(subscription.subscription_id, endpointHealthOf(read));
      }
    } catch (error) {
      this.#ports.observer.internalError(error, []);
    }
  }
}
