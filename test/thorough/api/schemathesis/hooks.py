"""Replaces values of schemathesis with more useful ones that need no DNS look-up."""

from itertools import count

import schemathesis

numbers = count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers or {}
    # For a header with any value, schemathesis sends 0, whatever its pattern.
    if headers.get("if-match") == "0":
        headers["if-match"] = "*"
    # A new key each time: a reused key with another request is always refused.
    if headers.get("idempotency-key") == "0":
        headers["idempotency-key"] = f"request-{next(numbers)}"
    # Avoids looking up the example's name; nothing listens here.
    if isinstance(case.body, dict) and case.body.get("callback_url") == "https://example.com/webhooks":
        case.body["callback_url"] = "http://127.0.0.1:1/hooks"
