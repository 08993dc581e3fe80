"""Corrects queues and event source mappings where they differ from AWS, or are too slow to measure."""

import re
import sys
import threading
import time

# Source: SendMessage, Amazon SQS API Reference: alphanumeric characters and punctuation.
NAME = re.compile(r"""[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]{1,128}""")


def as_many_batches_as_aws(original):
    """Lets FIFO mappings run as many batches at a time as their ScalingConfig allows. The emulator runs one.

    Safe: a receive skips groups with a message in flight, so two batches never share a group.
    """

    def sqs_esm_concurrency(esm, func_rec, config, queue=None):
        return original(esm, func_rec, config, None)

    return sqs_esm_concurrency


def as_prompt_as_long_polling(_):
    """Seconds until a mapping polls again after finding nothing. 50 ms would dominate time to send."""

    return 0.002


def pruning_once_a_second(original):
    """Removes expired deduplication ids and messages at most once a second per queue.

    The emulator checks all ids at each send, 9 ms with 75,000 of them, and all messages at each receive. Ids
    and messages now expire up to a second late.
    """
    pruned_at = f"{original.__name__} at"

    def prune(queue):
        now = time.monotonic()
        if now - queue.get(pruned_at, 0) >= 1:
            queue[pruned_at] = now
            original(queue)

    return prune


COMPLETE = frozenset(
    ("md5_body", "message_attributes", "md5_attrs", "first_receive_at", "receive_count", "receipt_handle", "sent_at", "visible_at")
    + ("sys", "group_id", "dedup_id", "seq")
)


def names_as_sqs_takes_them(sqs):
    """Refuses group and deduplication ids of other or more characters. The emulator takes any text."""

    def replacement(original):
        def send_message(data, queue_url):
            for name in ("MessageGroupId", "MessageDeduplicationId"):
                value = data.get(name)
                if value and not NAME.fullmatch(value):
                    raise sqs._Err("InvalidParameterValue", f"Value for parameter {name} is invalid: 1 to 128 alphanumeric characters and punctuation.")
            return original(data, queue_url)

        return send_message

    return replacement


def whole_messages_left_alone(original):
    """Skips messages that already have all fields. The emulator checks each field of each message at each
    receive: most of its cost with thousands in the queue.
    """

    def ensure_msg_fields(message):
        if not message.keys() >= COMPLETE:
            original(message)

    return ensure_msg_fields


def not_for_nothing(sqs):
    """After finding all groups of a FIFO queue busy, looks only at new messages until a group may be free
    again.

    The emulator scans the whole queue at every event: with thousands of messages it does nothing else.
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
        # Deleting a message replaces the list. A visibility timeout that ends or changes is noticed a moment
        # later.
        if busy is None or busy["messages"] is not messages or time.time() > busy["until"]:
            return False
        new = messages[busy["looked_at"] :]
        busy["looked_at"] = len(messages)
        return all(message["group_id"] in busy["groups"] for message in new)

    return replacement


def beside_the_queues(original):
    """Reads streams in a separate thread, once a second, like a batching window.

    The emulator reads them at every write, between two polls of the queues, so that a slow stream delays all
    queues.
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


def naming_their_shard(original):
    """Batches of a stream name their shard, as with a tumbling window; the emulator has one for each table."""

    def execute_function(func, event):
        records = event.get("Records") if isinstance(event, dict) else None
        if records and records[0].get("eventSource") == "aws:dynamodb":
            event = {**event, "eventSourceARN": records[0]["eventSourceARN"], "shardId": "shardId-0"}
        return original(func, event)

    return execute_function
