/** A Logs Insights query of deliver's log: the ten subscriptions with the most failed attempts. */
export const FAILING_SUBSCRIPTIONS = [
  'filter message = "delivery.attempted" and outcome != "delivered"',
  'stats count(*) as failed_attempts, count_distinct(payment_id) as payments, latest(outcome) as last_outcome, latest(status_code) as last_status, max(@timestamp) as last_at by service_id, subscription_id',
  'sort failed_attempts desc',
  'limit 10',
];
