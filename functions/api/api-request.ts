import type { CallbackUrlGuard } from './callback-url-guard.ts';
import type { MessageHistory } from './message-history.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';

/** A request whose sender is known. */
export interface ApiRequest {
  readonly serviceId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The text as it came; empty when there was none. */
  readonly body: string;
}

export interface ApiPorts {
  readonly subscriptions: SubscriptionRegistry;
  readonly history: MessageHistory;
  readonly callbackUrls: CallbackUrlGuard;
}
