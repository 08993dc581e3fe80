-- Which share of each service's attempts succeeded, hour by hour, in the last two days?
SELECT
  service_id,
  substr(started_at, 1, 13) AS hour,
  count(*) AS attempts,
  count(*) FILTER (WHERE failure_class IS NULL) AS taken,
  round(100.0 * count(*) FILTER (WHERE failure_class IS NULL) / count(*), 1) AS taken_percent
FROM (
  SELECT DISTINCT service_id, message_id, attempt, started_at, failure_class
  FROM attempts
  WHERE day >= date_format(current_date - interval '1' day, '%Y-%m-%d')
)
GROUP BY service_id, substr(started_at, 1, 13)
ORDER BY service_id, hour
