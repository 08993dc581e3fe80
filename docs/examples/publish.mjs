// Publishes payment events, one JSON object a line, in order:  node publish.mjs <bus name or ARN> < events.jsonl
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

// EventBridge takes 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024 - 1;
const MAX_FAILED_ROUNDS = 8;

const client = new EventBridgeClient();

async function publish(bus, events) {
  let waiting = events;
  let failedRounds = 0;
  while (waiting.length > 0) {
    const batch = nextBatch(waiting);
    const answer = await client.send(
      new PutEventsCommand({ Entries: batch.map((event) => toEntry(bus, event)) }),
    );
    // Answers come in the order of the entries; only an accepted one has an EventId.
    const accepted = new Set(batch.filter((_, index) => answer.Entries[index].EventId));
    waiting = waiting.filter((event) => !accepted.has(event));

    failedRounds = accepted.size === batch.length ? 0 : failedRounds + 1;
    if (failedRounds === MAX_FAILED_ROUNDS) {
      const reasons = answer.Entries.map(({ ErrorCode }) => ErrorCode).filter(Boolean);
      const ids = waiting.map(({ event_id }) => event_id);
      throw new Error(`not accepted (${reasons.join(', ')}): ${ids.join(', ')}`);
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
    bytes += sizeOf(event);
    if (batch.length === MAX_ENTRIES || (batch.length > 0 && bytes > MAX_BYTES)) break;
    payments.add(event.payment_id);
    batch.push(event);
  }
  return batch;
}

function sizeOf(event) {
  const { Source, DetailType, Detail } = toEntry('', event);
  return Buffer.byteLength(Source + DetailType + Detail);
}

function toEntry(bus, event) {
  return {
    EventBusName: bus,
    Source: 'payments',
    DetailType: event.event_type,
    Detail: JSON.stringify(event),
  };
}

const bus = process.argv[2];
if (!bus) throw new Error('say which bus: without one, events go to the default bus of the account');
const events = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') events.push(JSON.parse(line));
}
await publish(bus, events);
console.log(`${events.length} accepted`);
