"""Sends payment events straight into the queue, one JSON object a line, in order:  python publish_to_queue.py <queue URL> < events.jsonl"""

import json
import sys
import time

import boto3

# SQS takes 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
MAX_ENTRIES = 10
MAX_BYTES = 256 * 1024 - 1
MAX_FAILED_ROUNDS = 8

client = boto3.client("sqs")


def publish(queue, events):
    waiting = events
    failed_rounds = 0
    while waiting:
        batch = next_batch(waiting)
        entries = [to_entry(index, event) for index, event in enumerate(batch)]
        answer = client.send_message_batch(QueueUrl=queue, Entries=entries)
        accepted = {id(batch[int(one["Id"])]) for one in answer.get("Successful", [])}
        waiting = [event for event in waiting if id(event) not in accepted]

        failed_rounds = 0 if len(accepted) == len(batch) else failed_rounds + 1
        if failed_rounds == MAX_FAILED_ROUNDS:
            reasons = [one["Code"] for one in answer["Failed"]]
            ids = [event["event_id"] for event in waiting]
            raise RuntimeError(f"not accepted ({', '.join(reasons)}): {', '.join(ids)}")
        if failed_rounds > 0:
            time.sleep(min(0.05 * 2**failed_rounds, 5))


def next_batch(waiting):
    """At most one event of each payment: a later one must not be accepted while an earlier one fails."""
    batch = []
    payments = set()
    size = 0
    for event in waiting:
        if event["payment_id"] in payments:
            continue
        size += len(body_of(event).encode())
        if len(batch) == MAX_ENTRIES or (batch and size > MAX_BYTES):
            break
        payments.add(event["payment_id"])
        batch.append(event)
    return batch


def to_entry(index, event):
    """The group keeps the order of a payment; the id makes a repeat within five minutes harmless in the queue, too."""
    return {
        "Id": str(index),
        "MessageBody": body_of(event),
        "MessageGroupId": event["payment_id"],
        "MessageDeduplicationId": event["event_id"],
    }


def body_of(event):
    return json.dumps(event, ensure_ascii=False)


if len(sys.argv) != 2 or not sys.argv[1]:
    sys.exit("say which queue: the output EventsQueueUrl of the stage")
events = [json.loads(line) for line in sys.stdin if line.strip()]
publish(sys.argv[1], events)
print(f"{len(events)} accepted")
