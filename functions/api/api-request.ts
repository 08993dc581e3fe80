import type { AuditTrail } from '../core/api/audit-trail.ts';
import type { Idempotency } from '../core/api/idempotency.ts';
import type { PortalSessionStore } from '../core/api/portal/portal-session-store.ts';
import type { EndpointHealthChange, SubscriptionRegistry } from '../core/api/subscription-registry.ts';
import type { DeliveryPolicy } from '../core/attempt/delivery-policy.ts';
import type { StageKeySet } from '../core/attempt/stage-keys.ts';
import type { Catalogue } from '../core/catalogue/catalogue.ts';
import type { MessageHistory } from '../core/message/message-history.ts';
import type { CountPing, SendMessage } from '../core/message/ports.ts';
import type { RecoveryRegistry } from '../core/message/recovery-registry.ts';
import type { NoticeBooks } from '../core/notices/ports.ts';
import type { ReadProgress } from '../core/sequence/ports.ts';
import type { Signal } from '../core/signal/signal.ts';
import type { Timer } from '../core/signal/timer.ts';
import type { Statistics } from '../core/statistics/statistics-store.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { CallbackUrlGuard } from './callback-url-guard.ts';
import type { Caller } from './caller.ts';

/** A request of a known service, with query and body parsed by the schemas of the operation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly serviceId: string;
  readonly caller: Caller;
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
  readonly catalogue: Catalogue;
  readonly subscriptions: SubscriptionRegistry;
  readonly history: MessageHistory;
  readonly progress: ReadProgress;
  readonly recoveries: RecoveryRegistry;
  readonly statistics: Statistics;
  readonly callbackUrls: CallbackUrlGuard;
  readonly idempotency: Idempotency;
  readonly audit: AuditTrail;
  readonly portalSessions: PortalSessionStore;
  readonly notices: NoticeBooks['book'];
  /** The public halves of the stage's keys; undefined: it has none. */
  stageKeys(): Promise<StageKeySet | undefined>;
  /** The same, a minute old at most. */
  keySet(): Promise<StageKeySet | undefined>;
  /**
   * Sends signals to the groups of their ordering keys; returns those that were not accepted. Never rejects.
   */
  signal(signals: readonly Signal[]): Promise<readonly Signal[]>;
  readonly send: SendMessage;
  readonly countPing: CountPing;
  /** Arms timers. Never rejects: `sweep` finds what has none. */
  arm(armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[]): Promise<void>;
  readonly endpointHealthChanged: EndpointHealthChanged;
  readonly policy: DeliveryPolicy;
  now(): number;
}
