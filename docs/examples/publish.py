"""Publishes payment events, one JSON object a line, in order:  python publish.py <bus name or ARN> < events.jsonl"""

import json
import sys
import time

import boto3

# EventBridge takes 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
MAX_ENTRIES = 10
MAX_BYTES = 256 * 1024 - 1
MAX_FAILED_ROUNDS = 8

client = boto3.client("events")


def publish(bus, events):
    waiting = events
    failed_rounds = 0
    while waiting:
        batch = next_batch(waiting)
        answer = client.put_events(Entries=[to_entry(bus, event) for event in batch])
        # Answers come in the order of the entries; only an accepted one has an EventId.
        results = list(zip(batch, answer["Entries"]))
        accepted = {id(event) for event, result in results if "EventId" in result}
        waiting = [event for event in waiting if id(event) not in accepted]

        failed_rounds = 0 if len(accepted) == len(batch) else failed_rounds + 1
        if failed_rounds == MAX_FAILED_ROUNDS:
            reasons = [result["ErrorCode"] for _, result in results if "ErrorCode" in result]
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
        size += size_of(event)
        if len(batch) == MAX_ENTRIES or (batch and size > MAX_BYTES):
            break
        payments.add(event["payment_id"])
        batch.append(event)
    return batch


def size_of(event):
    entry = to_entry("", event)
    return len((entry["Source"] + entry["DetailType"] + entry["Detail"]).encode())


def to_entry(bus, event):
    return {
        "EventBusName": bus,
        "Source": "payments",
        "DetailType": event["event_type"],
        "Detail": json.dumps(event, ensure_ascii=False),
    }


if len(sys.argv) != 2 or not sys.argv[1]:
    sys.exit("say which bus: without one, events go to the default bus of the account")
events = [json.loads(line) for line in sys.stdin if line.strip()]
publish(sys.argv[1], events)
print(f"{len(events)} accepted")
