-- Whose endpoints were slowest to answer in the last seven days?
SELECT
  service_id,
  subscription_id,
  count(*) AS attempts,
  approx_percentile(duration_ms, 0.5) AS duration_ms_p50,
  approx_percentile(duration_ms, 0.95) AS duration_ms_p95,
  max(duration_ms) AS duration_ms_longest
FROM (
  SELECT DISTINCT service_id, subscription_id, message_id, attempt, started_at, duration_ms
  FROM attempts
  WHERE day >= date_format(current_date - interval '6' day, '%Y-%m-%d')
)
GROUP BY service_id, subscription_id
ORDER BY duration_ms_p95 DESC
LIMIT 20
