REMEMBERED = 100
"""Payments have far fewer messages. A repeat of an older one is called stale."""

NOTHING = {"position": 0, "id": None, "recent": []}
"""The state of a payment of which nothing has come yet."""


def check(state, webhook):
    """state: what the last check of this payment gave, or NOTHING; webhook: the parsed body of a genuine webhook"""
    if "sequence" not in webhook:
        return "unnumbered", state
    message_id, position = webhook["webhook_message_id"], webhook.get("position")
    if message_id in state["recent"]:
        return "repeat", state
    recent = [message_id, *state["recent"]][:REMEMBERED]
    if position is None or position <= state["position"]:
        return "stale", {**state, "recent": recent}
    is_next = position == state["position"] + 1 and webhook["previous_message_id"] == state["id"]
    return "in_order" if is_next else "gap", {"position": position, "id": message_id, "recent": recent}
