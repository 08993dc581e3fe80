from standardwebhooks import Webhook


def event_of(body, headers, secret):
    """The event, or an exception when it is not genuine."""
    return Webhook(secret).verify(body, headers)
