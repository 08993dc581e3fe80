// Sends payment events straight into the queue, one JSON object a line, in order:  node publish-to-queue.mjs <queue URL> < events.jsonl
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

// SQS takes 1 MB in a call, over all its entries. Smaller calls fail in smaller parts.
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024 - 1;
const MAX_FAILED_ROUNDS = 8;

const client = new SQSClient();

async function publish(queue, events) {
  let waiting = events;
  let failedRounds = 0;
  while (waiting.length > 0) {
    const batch = nextBatch(waiting);
    const answer = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queue, Entries: batch.map(toEntry) }),
    );
    const accepted = new Set(answer.Successful?.map(({ Id }) => batch[Number(Id)]));
    waiting = waiting.filter((event) => !accepted.has(event));

    failedRounds = accepted.size === batch.length ? 0 : failedRounds + 1;
    if (failedRounds === MAX_FAILED_ROUNDS) {
      const reasons = answer.Failed.map(({ Code }) => Code);
      throw new Error(
        `not accepted (${reasons.join(', ')}): ${waiting.map(({ event_id }) => event_id).join(', ')}`,
      );
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

// The group keeps the order of a payment; the id makes a repeat within five minutes harmless in the queue, too.
function toEntry(event, index) {
  return {
    Id: String(index),
    MessageBody: JSON.stringify(event),
    MessageGroupId: event.payment_id,
    MessageDeduplicationId: event.event_id,
  };
}

const queue = process.argv[2];
if (!queue) throw new Error('say which queue: the output EventsQueueUrl of the stage');
const events = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') events.push(JSON.parse(line));
}
await publish(queue, events);
console.log(`${events.length} accepted`);
