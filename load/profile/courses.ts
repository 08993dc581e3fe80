import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import { clientConfig } from '../../local/local-account.ts';
import { sorted } from '../cost/cost-of-run.ts';
import type { LogLine } from '../cost/read-log.ts';
import { indexedBytes, storedBytes } from '../cost/stored.ts';
import { type Used, usedBy } from '../cost/usage.ts';
import type { Bench } from './bench.ts';
import type { FunctionWorker } from './functions/function-worker.ts';
import type { Profiled } from './functions/stage-functions.ts';
import type { Sent } from './stand-ins/queue-protocol.ts';
import { batchOf } from './stand-ins/records.ts';

export type Workers = Readonly<Record<Profiled, FunctionWorker>>;

/** What deliveries of one kind have used, by measurement. */
export interface Course {
  readonly deliveries: number;
  readonly used: Used;
  /** The same by function. */
  readonly byFunction: Readonly<Record<string, Used>>;
  /** That left for the partner, headers included, all attempts. */
  readonly egressBytes: number;
  /** That the table of the history holds of them afterwards. */
  readonly storedBytes: number;
  /** That its indexes hold. */
  readonly indexedBytes: number;
  /** How much of the log is left when it is compressed. */
  readonly logGzipShare: number;
}

/** So many changes are handed to tally at a time, or those of some seconds: see `lib/constructs/functions/stream-function.ts`. */
const STATISTICS_BATCH = 500;

export type Image = Record<string, unknown>;

interface CourseSteps {
  /** Invokes a function; what it uses is counted. @throws when it gives records back */
  run(name: Profiled, event: object): Promise<void>;
  /** What was sent since the last time. */
  take(): Promise<readonly Sent[]>;
}

/** Sends payments through the functions in batches of a size, each delivered at the first attempt. Tally is told once so many have come as it takes. */
export function delivered(bench: Bench, workers: Workers, batches: number, size: number): Promise<Course> {
  return measured(bench, workers, batches * size, async ({ run, take }) => {
    const uncounted: Sent[] = [];
    for (let batch = 1; batch <= batches; batch += 1) {
      await run('match', batchOf(bench.events(size)));
      const sent = await take();
      await run('deliver', batchOf(sent));
      uncounted.push(...sent);
      // One alone is alone in the window in which changes are collected, too.
      if (size === 1 || batch === batches || uncounted.length >= STATISTICS_BATCH) {
        await run('statistics', await changesOf(bench, uncounted.splice(0), new Map()));
      }
    }
  });
}

/** Sends payments one by one whose first attempt fails, and whose second, after its timer, does not. */
export function parked(bench: Bench, workers: Workers, count: number, delayMs: number): Promise<Course> {
  return measured(bench, workers, count, async ({ run, take }) => {
    for (let number = 0; number < count; number += 1) {
      await bench.standIns.behave({ status: 503, delayMs });
      await run('match', batchOf(bench.events(1)));
      const messages = await take();
      await run('deliver', batchOf(messages));
      const before = await imagesOf(bench, messages);
      await run('statistics', await changesOf(bench, messages, new Map()));
      await bench.standIns.behave({ status: 200, delayMs });
      // The key is due when its timer goes off, and not before.
      const timers = await take();
      await delay(Math.max(0, ...timers.map(({ delaySeconds }) => delaySeconds)) * 1_000);
      await run('wake', batchOf(timers));
      const signals = await take();
      await run('deliver', batchOf(signals));
      await run('statistics', await changesOf(bench, messages, before));
    }
  });
}

/** Looks for what is overdue and measures what waits, as each minute: for nobody's delivery. */
export function swept(bench: Bench, workers: Workers, count: number): Promise<Course> {
  return measured(bench, workers, count, async ({ run }) => {
    for (let number = 0; number < count; number += 1) {
      await run('sweep', {});
    }
  });
}

async function measured(
  { standIns, outputs }: Bench,
  workers: Workers,
  deliveries: number,
  course: (steps: CourseSteps) => Promise<void>,
): Promise<Course> {
  const lines: Partial<Record<Profiled, LogLine[]>> = {};
  const messages: Sent[] = [];
  let egressBytes = 0;
  const take = async () => {
    const { sent, partnerBytes } = await standIns.take();
    egressBytes += partnerBytes;
    messages.push(...sent.filter(({ queue }) => queue === 'deliveries.fifo'));
    return sent;
  };
  await course({
    take,
    async run(name, event) {
      const { log, result } = await workers[name].invoke(event);
      const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: unknown[] };
      if (batchItemFailures.length > 0) {
        throw new Error(`${name} gave back ${batchItemFailures.length} records:\n${log.join('\n')}`);
      }
      lines[name] ??= [];
      lines[name].push(...[...log, ...PLATFORM_LINES].map((text) => ({ atMs: Date.now(), text })));
    },
  });
  await take();
  const usedIn = (some: readonly LogLine[]) => {
    const { metered, logBytes } = sorted(some);
    return usedBy(metered, logBytes);
  };
  const all = Object.values(lines).flat();
  const client = new DynamoDBClient(clientConfig(outputs.endpoint));
  const history = { client, table: outputs.tables.history };
  const ids = messages.flatMap(messageIdOf);
  const stored = {
    storedBytes: await storedBytes(history, ids),
    indexedBytes: await indexedBytes(history, ids),
  };
  client.destroy();
  return {
    deliveries,
    used: usedIn(all),
    byFunction: Object.fromEntries(Object.entries(lines).map(([name, some]) => [name, usedIn(some)])),
    egressBytes,
    ...stored,
    logGzipShare: gzipShare(all),
  };
}

/** CloudWatch keeps logs compressed, and bills them so. The metered lines are there with the load lab only. */
function gzipShare(lines: readonly LogLine[]): number {
  const text = lines.flatMap((line) => (sorted([line]).metered.length > 0 ? [] : line.text)).join('\n');
  return gzipSync(text).length / Buffer.byteLength(text);
}

/** What Lambda itself writes around each invocation: START, END and REPORT. */
const PLATFORM_LINES = ['x'.repeat(70), 'x'.repeat(50), 'x'.repeat(150)];

/** A hint is about a key, and most name no message. */
function messageIdOf({ body }: Sent): string[] {
  const { message_id } = JSON.parse(body) as { message_id?: string };
  return message_id === undefined ? [] : [message_id];
}

/** What the history holds of messages, as DynamoDB has it. */
async function imagesOf({ outputs }: Bench, messages: readonly Sent[]): Promise<Map<string, Image>> {
  const client = new DynamoDBClient(clientConfig(outputs.endpoint));
  const images = new Map<string, Image>();
  for (const message_id of messages.flatMap(messageIdOf)) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: outputs.tables.history,
        KeyConditionExpression: '#id = :id AND #item = :item',
        ExpressionAttributeNames: { '#id': historyTable.partitionKey, '#item': historyTable.sortKey },
        ExpressionAttributeValues: { ':id': { S: message_id }, ':item': { S: historyTable.messageItem } },
        ConsistentRead: true,
      }),
    );
    if (Items[0] !== undefined) images.set(message_id, Items[0]);
  }
  client.destroy();
  return images;
}

/** The changes of messages as the history's stream tells them. */
async function changesOf(bench: Bench, messages: readonly Sent[], before: ReadonlyMap<string, Image>) {
  const after = await imagesOf(bench, messages);
  return {
    Records: [...after].map(([id, NewImage]) => ({
      eventName: before.has(id) ? 'MODIFY' : 'INSERT',
      dynamodb: {
        Keys: {
          [historyTable.partitionKey]: { S: id },
          [historyTable.sortKey]: { S: historyTable.messageItem },
        },
        NewImage,
        ...(before.has(id) ? { OldImage: before.get(id) } : {}),
      },
    })),
  };
}
