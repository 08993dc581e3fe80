-- What happened to a payment? Its id, in quotes, is the parameter; the days are all that are kept, so say fewer when you know them.
SELECT DISTINCT started_at, subscription_id, event_type, message_id, attempt, status_code, failure_class, duration_ms, probe, late
FROM attempts
WHERE payment_id = ?
ORDER BY started_at, message_id, attempt
