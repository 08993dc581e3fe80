import type { AuditTrail } from '../../core/api/audit-trail.ts';
import type { SubscriptionRegistry } from '../../core/api/subscription-registry.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import type { EndpointCounts } from '../../core/circuit/ports.ts';
import type { ReadContents } from '../../core/message/look-into.ts';
import type { CountRecoveries, MessageStore, RecoveryStore } from '../../core/message/ports.ts';
import type { Recovery } from '../../core/message/recovery.ts';
import type { Backlog } from '../../core/ordering/ports.ts';
import type { GapSignals } from '../../core/sequence/ports.ts';
import type { Signals } from '../../core/signal/ports.ts';
import type { Timer } from '../../core/signal/timer.ts';
import type { EndpointHealthStore, Subscriptions } from '../../core/subscription/ports.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';

/** A record of `retry-timers` whose time has come. */
export interface FiredTimer {
  readonly recordId: string;
  readonly timer: Timer;
}

export interface WakePorts
  extends Backlog,
    Signals,
    GapSignals,
    Pick<Subscriptions, 'subscription'>,
    Pick<EndpointHealthStore, 'replaceEndpointHealth'>,
    Pick<EndpointCounts, 'drains' | 'answers' | 'slowAttempts'>,
    Pick<MessageStore, 'pastMessages'> {
  revise: SubscriptionRegistry['revise'];
  keepChange: AuditTrail['keep'];
  recoveries: RecoveryStore;
  recovering: CountRecoveries;
  contents: ReadContents;
  observer: {
    /** A circuit timer, and how many ordering keys it signalled. */
    timerFired(
      subscription: Subscription,
      before: EndpointHealth,
      after: EndpointHealth,
      signalled: number,
    ): void;
    /** A step of a recovery. */
    recovered(before: Recovery, after: Recovery): void;
    /** A timer of an earlier generation, which does nothing. */
    stale(timer: Extract<Timer, { kind: 'circuit' | 'recovery' | 'expiry' }>): void;
    internalError(error: unknown, timer: Timer | undefined): void;
  };
  now(): number;
  /** A random number from 0 to 1. */
  draw(): number;
  /** Resolves after that many ms. */
  after(ms: number): Promise<void>;
}
