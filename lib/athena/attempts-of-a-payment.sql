-- What happened to a payment? The parameter is its id in quotes; narrow the days if you can.
SELECT DISTINCT started_at, subscription_id, event_type, message_id, attempt, status_code, failure_class, duration_ms, probe, late
FROM attempts
WHERE payment_id = ?
ORDER BY started_at, message_id, attempt
