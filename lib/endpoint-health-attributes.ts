import { subscriptionsTable } from '../functions/adapters/dynamodb/table-keys.ts';

/** What of a subscription's item says how it stands: nothing of where its webhooks go, whom they belong to, or what they carry. */
export const ENDPOINT_HEALTH_ATTRIBUTES = [
  subscriptionsTable.partitionKey,
  subscriptionsTable.sortKey,
  'subscription_id',
  'event_types',
  'live',
  'state',
  'disabled_reason',
  'disabled_at',
  'created_at',
  'timeout_ms',
  'schedule',
  'rate_limit',
  'circuit',
] as const;
