"""Where the emulator's queues, and the mappings that read them, differ from AWS or take so long that nothing else could be measured."""

import sys
import threading
import time


def as_many_batches_as_aws(original):
    """FIFO mappings run as many batches at a time as their ScalingConfig says, like others; the emulator holds them to one.

    Safe: its receive leaves out every group that has a message under way, so two batches never share one.
    """

    def sqs_esm_concurrency(esm, func_rec, config, queue=None):
        return original(esm, func_rec, config, None)

    return sqs_esm_concurrency


def as_prompt_as_long_polling(_):
    """Seconds before the mappings look again after a wake that found nothing. The emulator's 50 ms would be most of a webhook's time to send."""

    return 0.002


def pruning_once_a_second(original):
    """What has expired is looked for at most once a second per queue: deduplication ids, with 75,000 of which a send costs 9 ms, and messages, all of which are
    looked at before each receive.

    They are forgotten up to a second late: ids after 301 seconds instead of 300.
    """
    place = f"{original.__name__} at"

    def prune(queue):
        now = time.monotonic()
        if now - queue.get(place, 0) >= 1:
            queue[place] = now
            original(queue)

    return prune


COMPLETE = frozenset(
    ("md5_body", "message_attributes", "md5_attrs", "first_receive_at", "receive_count", "receipt_handle", "sent_at", "visible_at")
    + ("sys", "group_id", "dedup_id", "seq")
)


def whole_messages_left_alone(original):
    """A message that has all its fields gets none. As it is, each receive asks each message of the queue for each field: with thousands waiting that is most
    of what a receive costs.
    """

    def ensure_msg_fields(message):
        if not message.keys() >= COMPLETE:
            original(message)

    return ensure_msg_fields


def not_for_nothing(sqs):
    """A mapping that has found every group of a FIFO queue busy looks at what has come since, until a group may have become free. As it is, it goes through
    the whole queue at every event: with thousands waiting the emulator does nothing else.
    """

    def replacement(original):
        def receive_messages_for_esm(queue_url, max_number):
            queue = sqs._queues.get(queue_url)
            if queue is None or not queue["is_fifo"]:
                return original(queue_url, max_number)
            if are_all_busy(queue):
                return []
            batch = original(queue_url, max_number)
            queue.pop("busy", None)
            if not batch and queue["messages"]:
                now = time.time()
                groups = {message["group_id"] for message in queue["messages"] if message["visible_at"] > now}
                queue["busy"] = {"messages": queue["messages"], "looked_at": len(queue["messages"]), "groups": groups, "until": now + 0.05}
            return batch

        return receive_messages_for_esm

    def are_all_busy(queue):
        busy, messages = queue.get("busy"), queue["messages"]
        # Who deletes a message makes another list; a visibility that ends or is changed is seen a moment later.
        if busy is None or busy["messages"] is not messages or time.time() > busy["until"]:
            return False
        new = messages[busy["looked_at"] :]
        busy["looked_at"] = len(messages)
        return all(message["group_id"] in busy["groups"] for message in new)

    return replacement


def beside_the_queues(original):
    """Streams are read by a thread of their own, once a second, as with a batching window. The emulator reads them between two looks at the queues, at every
    write, and whoever follows a table holds up all queues.
    """
    reading = threading.Thread(target=lambda: read_again_and_again(original), daemon=True)

    def poll_dynamodb_streams():
        if not reading.is_alive():
            reading.start()
        return False

    return poll_dynamodb_streams


def read_again_and_again(read):
    while True:
        try:
            while read():
                pass
        except Exception as error:
            print(f"corrected_queues.py: streams: {error}", file=sys.stderr, flush=True)
        time.sleep(1)
