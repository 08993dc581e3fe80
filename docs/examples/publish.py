"""Publishes payment events, one JSON object a line, in order, by a bus or straight into the queue:
python publish.py <name of the bus, or URL of the queue> < events.jsonl"""

import json
import sys
import time

import boto3

# EventBridge and SQS take 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
MAX_ENTRIES = 10
MAX_BYTES = 250_000
MAX_FAILED_ROUNDS = 8


def publish(send, events):
    waiting = events
    failed_rounds = 0
    while waiting:
        batch = next_batch(waiting)
        refusals = send(batch)
        accepted = {id(event) for event, refusal in zip(batch, refusals) if refusal is None}
        waiting = [event for event in waiting if id(event) not in accepted]

        failed_rounds = 0 if len(accepted) == len(batch) else failed_rounds + 1
        if failed_rounds == MAX_FAILED_ROUNDS:
            ids = [event["event_id"] for event in waiting]
            raise RuntimeError(f"not accepted ({', '.join(filter(None, refusals))}): {', '.join(ids)}")
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
        size += len(to_json(event).encode())
        if len(batch) == MAX_ENTRIES or (batch and size > MAX_BYTES):
            break
        payments.add(event["payment_id"])
        batch.append(event)
    return batch


def to_json(event):
    return json.dumps(event, ensure_ascii=False)


# Both answer for each event of a batch: None if it was accepted, otherwise the reason.
def to_bus(bus):
    client = boto3.client("events")

    def send(batch):
        entries = [
            {
                "EventBusName": bus,
                "Source": "payments",
                "DetailType": event["event_type"],
                "Detail": to_json(event),
            }
            for event in batch
        ]
        answer = client.put_events(Entries=entries)
        # In the order of the entries; only an accepted one has an EventId.
        return [None if "EventId" in one else one["ErrorCode"] for one in answer["Entries"]]

    return send


def to_queue(url):
    client = boto3.client("sqs")

    def send(batch):
        # The group keeps a payment in order; the deduplication id makes a repeat within minutes harmless.
        entries = [
            {
                "Id": str(index),
                "MessageBody": to_json(event),
                "MessageGroupId": event["payment_id"],
                "MessageDeduplicationId": event["event_id"],
            }
            for index, event in enumerate(batch)
        ]
        answer = client.send_message_batch(QueueUrl=url, Entries=entries)
        failed = {one["Id"]: one["Code"] for one in answer.get("Failed", [])}
        return [failed.get(entry["Id"]) for entry in entries]

    return send


if len(sys.argv) != 2 or not sys.argv[1]:
    sys.exit("say where: the name or ARN of the bus, or the URL of the queue")
target = sys.argv[1]
events = [json.loads(line) for line in sys.stdin if line.strip()]
publish(to_queue(target) if "://" in target else to_bus(target), events)
print(f"{len(events)} accepted")
