/** What the package exports. */
export { DELIVERY_POLICY, type DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
export type { EventType } from '../functions/core/catalogue/event-type.ts';
export type { CallbackUrlRules } from '../functions/core/subscription/callback-url.ts';
export type { ConsoleSettings } from './bundling/console-settings.ts';
export { SIGNED_IN } from './constructs/signed-in.ts';
export { EventCatalogue } from './events/event-catalogue.ts';
export { Payhooks } from './payhooks.ts';
export type { PayhooksParts } from './payhooks-parts.ts';
export type {
  Concurrency,
  LateAlarm,
  PayhooksDomain,
  PayhooksProps,
  PayhooksScopes,
} from './payhooks-props.ts';
export { WebhookSubscription, type WebhookSubscriptionProps } from './webhook-subscription.ts';
