import type { DeliveryPolicy } from '../core/attempt/delivery-policy.ts';
import type { Message } from '../core/message/message.ts';
import type { PingCounts } from '../core/message/ping.ts';
import type { Signal, Timer } from '../core/ordering/signal.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { Idempotency } from './idempotency.ts';
import type { MessageHistory } from './operations/messages/message-history.ts';
import type { AuditTrail } from './ports/audit-trail.ts';
import type { CallbackUrlGuard } from './ports/callback-url-guard.ts';
import type { RecoveryRegistry } from './ports/recovery-registry.ts';
import type { Statistics } from './ports/statistics.ts';
import type { EndpointHealthChange, SubscriptionRegistry } from './ports/subscription-registry.ts';

/** A request of a known service, with query and body parsed by the schemas of the operation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly serviceId: string;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The raw header `if-match`. */
  readonly ifMatch?: string;
}

/** Reports a change of endpoint health to the operators. Never fails. */
export type EndpointHealthChanged = (subscription: Subscription, change: EndpointHealthChange) => void;

/** The ports that all requests share, however many are under way. */
export type SharedPorts = Omit<ApiPorts, 'endpointHealthChanged'>;

export interface ApiPorts {
  readonly subscriptions: SubscriptionRegistry;
  readonly history: MessageHistory;
  readonly recoveries: RecoveryRegistry;
  readonly statistics: Statistics;
  readonly callbackUrls: CallbackUrlGuard;
  readonly idempotency: Idempotency;
  readonly audit: AuditTrail;
  /**
   * Sends signals to the groups of their ordering keys; returns those that were not accepted. Never rejects.
   */
  signal(signals: readonly Signal[]): Promise<readonly Signal[]>;
  /** Queues a message for an attempt; false when it was not accepted. Never rejects. */
  send(message: Message): Promise<boolean>;
  /** Counts a test ping; returns how many there are in this minute, including it. */
  countPing(of: Pick<Subscription, 'service_id' | 'subscription_id'>): Promise<PingCounts>;
  /** Arms timers. Never rejects: `sweep` finds what has none. */
  arm(armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[]): Promise<void>;
  readonly endpointHealthChanged: EndpointHealthChanged;
  readonly policy: DeliveryPolicy;
  now(): number;
}
