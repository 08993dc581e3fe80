import os

from standardwebhooks import Webhook, WebhookVerificationError

# Stands for a table of yours with webhook-id as its key, which outlives the process.
_inbox = {}


def receive(body, headers):
    """Checks a webhook and keeps it, once. body: the bytes as they came. Returns the status to answer with."""
    headers = {name.lower(): value for name, value in headers.items()}
    try:
        event = Webhook(os.environ["SECRET"]).verify(body, headers)
    except WebhookVerificationError:
        return 401
    message_id = headers["webhook-id"]
    if message_id not in _inbox:
        _inbox[message_id] = event
        print(f"kept {event['event_type']} {event['resource_id']}", flush=True)
    return 204
