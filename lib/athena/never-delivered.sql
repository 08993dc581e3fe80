-- What was not delivered in the last 30 days, why, and how much was never attempted?
-- A message that was sent again counts with its last state.
SELECT
  service_id,
  subscription_id,
  state,
  state_reason,
  last_failure_class,
  count(*) AS messages,
  count(*) FILTER (WHERE attempt_count = 0) AS never_sent,
  min(admitted_at) AS first_admitted_at,
  max(admitted_at) AS last_admitted_at
FROM (
  SELECT *, row_number() OVER (PARTITION BY message_id ORDER BY ended_at DESC) AS from_the_last
  FROM messages
  WHERE day >= date_format(current_date - interval '29' day, '%Y-%m-%d')
)
WHERE from_the_last = 1 AND state <> 'succeeded'
GROUP BY service_id, subscription_id, state, state_reason, last_failure_class
ORDER BY messages DESC
