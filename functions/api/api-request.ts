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

/** A request whose sender is known, and whose query and body are as the operation's schemas read them. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly serviceId: string;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The header `if-match` as it came. */
  readonly ifMatch?: string;
}

/** Tells those who operate this of a change of a subscription. Never fails. */
export type EndpointHealthChanged = (subscription: Subscription, change: EndpointHealthChange) => void;

/** What all requests share, however many are under way. */
export type SharedPorts = Omit<ApiPorts, 'endpointHealthChanged'>;

export interface ApiPorts {
  readonly subscriptions: SubscriptionRegistry;
  readonly history: MessageHistory;
  readonly recoveries: RecoveryRegistry;
  readonly statistics: Statistics;
  readonly callbackUrls: CallbackUrlGuard;
  readonly idempotency: Idempotency;
  readonly audit: AuditTrail;
  /** Sends hints to their keys' groups; answers those that were not taken. Never rejects. */
  signal(signals: readonly Signal[]): Promise<readonly Signal[]>;
  /** Sends a message to be attempted; false when it was not taken. Never rejects. */
  send(message: Message): Promise<boolean>;
  /** Counts a test ping, and answers how many this minute has come to with it. */
  countPing(of: Pick<Subscription, 'service_id' | 'subscription_id'>): Promise<PingCounts>;
  /** Sends timers on their way. Never rejects: sweep finds what got none. */
  arm(armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[]): Promise<void>;
  readonly endpointHealthChanged: EndpointHealthChanged;
  readonly policy: DeliveryPolicy;
  now(): number;
}
