import type { Answers } from '../../core/attempt/answers.ts';
import type { InBacklog } from '../../core/circuit/circuit-timer.ts';
import type { SlowAttempts } from '../../core/circuit/crowding.ts';
import type { PastPage, Recovery } from '../../core/message/recovery.ts';
import type { OrderingKeyName, Signal, Timer } from '../../core/ordering/signal.ts';
import type { EndpointHealth, Subscription } from '../../core/subscription/subscription.ts';

/** A record of `retry-timers` whose time has come. */
export interface FiredTimer {
  readonly recordId: string;
  readonly timer: Timer;
}

export interface WakePorts {
  /** Strongly consistent; undefined when there is no such subscription. */
  subscription(
    name: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>,
  ): Promise<Subscription | undefined>;
  /** The first keys in line of a subscription, the one that waits longest first, or the first that joined at `from` (ISO 8601) or later, as the index has them: it may lag behind. */
  backlog(subscriptionId: string, max: number, from?: string): Promise<readonly InBacklog[]>;
  /** How many messages of a subscription wait, counted up to `most`, as the index has them: it may lag behind. */
  waiting(subscriptionId: string, max: number): Promise<number>;
  /** Says that a circuit is draining, and answers how many said so in the last second, or in this one if they are more. */
  drains(): Promise<number>;
  /** All that was ever counted of the answers of a subscription. Strongly consistent. */
  answers(subscriptionId: string): Promise<Answers>;
  /** How many slow attempts the workers of deliver said to have under way in the last second, or in this one if they are more. */
  slowAttempts(subscriptionId: string): Promise<SlowAttempts>;
  /** Writes how a subscription stands; false when it stands otherwise than `before` by now. */
  replaceEndpointHealth(
    subscription: Subscription,
    before: EndpointHealth,
    after: EndpointHealth,
  ): Promise<boolean>;
  /** Moves the key's `check_at` on to an instant (ISO 8601); false when it is not what was read, so that somebody else has this key. */
  moveCheck(key: InBacklog, checkAt: string): Promise<boolean>;
  recoveries: {
    /** The newest one of a subscription. Strongly consistent. */
    find(name: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>): Promise<Recovery | undefined>;
    /** Writes how a recovery stands; false when it has got further than `before` by now, or there is a newer one. */
    advance(before: Recovery, after: Recovery): Promise<boolean>;
  };
  /** Says that a recovery of a service takes a step, and answers how many of the service said so in the last second, or in this one if they are more. */
  recovering(serviceId: string): Promise<number>;
  /** What a recovery has to look at next, as the index has it: it may lag behind. At least one instant, when there is one. */
  pastMessages(
    recovery: Pick<Recovery, 'service_id' | 'subscription_id' | 'continue_at' | 'until'>,
  ): Promise<PastPage>;
  /** Sends hints to their keys' groups, each with a deduplication id of its own; answers those that were not taken. */
  signal(signals: readonly Signal[]): Promise<readonly Signal[]>;
  /** Sends timers on their way; rejects when one was not taken. */
  arm(armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[]): Promise<void>;
  observer: {
    /** A tick of a circuit, and how many keys it hinted. */
    timerFired(
      subscription: Subscription,
      before: EndpointHealth,
      after: EndpointHealth,
      signalled: number,
    ): void;
    /** A step of a recovery. */
    recovered(before: Recovery, after: Recovery): void;
    /** A timer that means nothing any more. */
    stale(timer: Timer): void;
    internalError(error: unknown, timer: Timer | undefined): void;
  };
  now(): number;
  /** Resolves after so many ms. */
  after(ms: number): Promise<void>;
}
