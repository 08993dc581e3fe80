-- What was the time to send, with the ordering wait, day by day, in the last 30 days? Time held is separate.
SELECT
  substr(admitted_at, 1, 10) AS admitted_on,
  count(*) AS messages,
  approx_percentile(time_to_send_ms, 0.5) AS time_to_send_ms_p50,
  approx_percentile(time_to_send_ms, 0.95) AS time_to_send_ms_p95,
  approx_percentile(time_to_send_ms, 0.99) AS time_to_send_ms_p99,
  count(*) FILTER (WHERE held_ms > 0) AS held,
  approx_percentile(coalesce(held_ms, 0), 0.99) AS held_ms_p99
FROM (
  SELECT DISTINCT message_id, admitted_at, time_to_send_ms, held_ms
  FROM messages
  WHERE day >= date_format(current_date - interval '29' day, '%Y-%m-%d') AND time_to_send_ms IS NOT NULL
)
GROUP BY substr(admitted_at, 1, 10)
ORDER BY admitted_on
