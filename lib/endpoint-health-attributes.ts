import { subscriptionsTable } from '../functions/adapters/dynamodb/table-keys.ts';

/**
 * The attributes of a subscription that describe endpoint health. They reveal neither the callback URL, nor
 * the partner, nor what the webhooks contain.
 */
export const ENDPOINT_HEALTH_ATTRIBUTES = [
  subscriptionsTable.partitionKey,
  subscriptionsTable.sortKey,
  'subscription_id',
  'event_types',
  'live',
  'state',
  'disabled_reason',
  'disabled_at',
  'challenge_id',
  'created_at',
  'timeout_ms',
  'schedule',
  'rate_limit',
  'delivery',
  'circuit',
] as const;
