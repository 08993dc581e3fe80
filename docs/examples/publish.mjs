// Publishes payment events, one JSON object a line, in order, by a bus or straight into the queue:
// node publish.mjs <name of the bus, or URL of the queue> < events.jsonl
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

// EventBridge and SQS take 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
const MAX_ENTRIES = 10;
const MAX_BYTES = 250_000;
const MAX_FAILED_ROUNDS = 8;

async function publish(send, events) {
  let waiting = events;
  let failedRounds = 0;
  while (waiting.length > 0) {
    const batch = nextBatch(waiting);
    const refusals = await send(batch);
    const accepted = new Set(batch.filter((_, index) => refusals[index] === null));
    waiting = waiting.filter((event) => !accepted.has(event));

    failedRounds = accepted.size === batch.length ? 0 : failedRounds + 1;
    if (failedRounds === MAX_FAILED_ROUNDS) {
      const ids = waiting.map(({ event_id }) => event_id);
      throw new Error(`not accepted (${refusals.filter(Boolean).join(', ')}): ${ids.join(', ')}`);
    }
    if (failedRounds > 0) await sleep(Math.min(50 * 2 ** failedRounds, 5_000));
  }
}

// At most one event of each payment: a later one must not be accepted while an earlier one fails.
function nextBatch(waiting) {
  const batch = [];
  const payments = new Set();
  let bytes = 0;
  for (const event of waiting) {
    if (payments.has(event.payment_id)) continue;
    bytes += Buffer.byteLength(JSON.stringify(event));
    if (batch.length === MAX_ENTRIES || (batch.length > 0 && bytes > MAX_BYTES)) break;
    payments.add(event.payment_id);
    batch.push(event);
  }
  return batch;
}

// Both answer for each event of a batch: null if it was accepted, otherwise the reason.
function toBus(bus) {
  const client = new EventBridgeClient();
  return async (batch) => {
    const entries = batch.map((event) => ({
      EventBusName: bus,
      Source: 'payments',
      DetailType: event.event_type,
      Detail: JSON.stringify(event),
    }));
    const answer = await client.send(new PutEventsCommand({ Entries: entries }));
    // In the order of the entries; only an accepted one has an EventId.
    return answer.Entries.map(({ EventId, ErrorCode }) => (EventId ? null : ErrorCode));
  };
}

function toQueue(url) {
  const client = new SQSClient();
  return async (batch) => {
    // The group keeps a payment in order; the deduplication id makes a repeat within minutes harmless.
    const entries = batch.map((event, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(event),
      MessageGroupId: event.payment_id,
      MessageDeduplicationId: event.event_id,
    }));
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
    const failed = new Map(answer.Failed?.map(({ Id, Code }) => [Id, Code]));
    return entries.map(({ Id }) => failed.get(Id) ?? null);
  };
}

const target = process.argv[2];
if (!target) throw new Error('say where: the name or ARN of the bus, or the URL of the queue');
const events = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') events.push(JSON.parse(line));
}
await publish(target.includes('://') ? toQueue(target) : toBus(target), events);
console.log(`${events.length} accepted`);
