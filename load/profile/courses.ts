import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { messageAddress } from '../../functions/adapters/dynamodb/table-keys.ts';
import { partsOf } from '../../functions/core/message/message.ts';
import { splitLines } from '../cost/cost-of-run.ts';
import { indexedBytes, storedBytes } from '../cost/stored.ts';
import { type Used, usedBy } from '../cost/usage.ts';
import type { Bench } from './bench.ts';
import type { FunctionWorker } from './functions/function-worker.ts';
import type { Profiled } from './functions/stage-functions.ts';
import type { Sent } from './stand-ins/queue-protocol.ts';
import { batchOf } from './stand-ins/records.ts';

export type Workers = Readonly<Record<Profiled, FunctionWorker>>;

/** Measured usage of deliveries of one kind. */
export interface Measurement {
  readonly deliveries: number;
  readonly used: Used;
  /** Usage by function. */
  readonly byFunction: Readonly<Record<string, Used>>;
  /** Sent to the partner, headers included, all attempts. */
  readonly egressBytes: number;
  /** Stored in the history table. */
  readonly storedBytes: number;
  /** Stored in its indexes. */
  readonly indexedBytes: number;
  /** Size of the log after compression, relative to before. */
  readonly logGzipShare: number;
}

/**
 * Batch size of statistics: that many changes, or those of some seconds. See
 * `lib/constructs/functions/table-follower.ts`.
 */
const STATISTICS_BATCH = 500;

type Image = Record<string, unknown>;

interface Steps {
  /** Invokes a function and records its usage. @throws when it returns failed records */
  run(name: Profiled, event: object): Promise<void>;
  /** Everything sent since the last call. */
  take(): Promise<readonly Sent[]>;
}

/**
 * Delivers payments in batches of a size, all at the first attempt. Statistics runs once per full batch of
 * changes.
 */
export function delivered(
  bench: Bench,
  workers: Workers,
  batches: number,
  size: number,
): Promise<Measurement> {
  return measured(bench, workers, batches * size, async ({ run, take }) => {
    const uncounted: Sent[] = [];
    for (let batch = 1; batch <= batches; batch += 1) {
      await run('match', batchOf(bench.events(size)));
      const sent = await take();
      await run('deliver', batchOf(sent));
      uncounted.push(...sent);
      // A single record is also alone in its statistics batch.
      if (size === 1 || batch === batches || uncounted.length >= STATISTICS_BATCH) {
        await run('statistics', await changesOf(bench, uncounted.splice(0), new Map()));
      }
    }
  });
}

/**
 * Delivers payments one by one whose first attempt fails and whose second, after its retry timer, succeeds.
 */
export function parked(bench: Bench, workers: Workers, count: number, delayMs: number): Promise<Measurement> {
  return measured(bench, workers, count, async ({ run, take }) => {
    for (let number = 0; number < count; number += 1) {
      await bench.standIns.behave({ status: 503, delayMs });
      await run('match', batchOf(bench.events(1)));
      const messages = await take();
      await run('deliver', batchOf(messages));
      const before = await imagesOf(bench, messages);
      await run('statistics', await changesOf(bench, messages, new Map()));
      await bench.standIns.behave({ status: 200, delayMs });
      // The ordering key is due when its timer fires, not before.
      const timers = await take();
      await delay(Math.max(0, ...timers.map(({ delaySeconds }) => delaySeconds)) * 1_000);
      await run('wake', batchOf(timers));
      const signals = await take();
      await run('deliver', batchOf(signals));
      await run('statistics', await changesOf(bench, messages, before));
    }
  });
}

/** Runs sweep, as every minute; it works for no single delivery. */
export function swept(bench: Bench, workers: Workers, count: number): Promise<Measurement> {
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
  work: (steps: Steps) => Promise<void>,
): Promise<Measurement> {
  const lines: Partial<Record<Profiled, string[]>> = {};
  const messages: Sent[] = [];
  let egressBytes = 0;
  const take = async () => {
    const { sent, partnerBytes } = await standIns.take();
    egressBytes += partnerBytes;
    messages.push(...sent.filter(({ queue }) => queue === 'deliveries.fifo'));
    return sent;
  };
  await work({
    take,
    async run(name, event) {
      const { log, result } = await workers[name].invoke(event);
      const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: unknown[] };
      if (batchItemFailures.length > 0) {
        throw new Error(`${name} returned ${batchItemFailures.length} failed records:\n${log.join('\n')}`);
      }
      lines[name] ??= [];
      lines[name].push(...log);
    },
  });
  await take();
  const usedIn = (some: readonly string[]) => {
    const { metered, logBytes } = splitLines(some);
    return usedBy(metered, logBytes);
  };
  const all = Object.values(lines).flat();
  const client = new DynamoDBClient(clientConfig(outputs.endpoint));
  const history = { client, table: outputs.tables.history };
  const payments = messages.flatMap(messageIdOf).map((id) => partsOf(id).paymentHash);
  const stored = {
    storedBytes: await storedBytes(history, payments),
    indexedBytes: await indexedBytes(history, payments),
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

/** CloudWatch compresses logs and bills the compressed size. The metered lines exist only in the lab. */
function gzipShare(lines: readonly string[]): number {
  const text = lines.flatMap((line) => (splitLines([line]).metered.length > 0 ? [] : line)).join('\n');
  return gzipSync(text).length / Buffer.byteLength(text);
}

/** A signal is about an ordering key, and most name no message. */
function messageIdOf({ body }: Sent): string[] {
  const { message_id } = JSON.parse(body) as { message_id?: string };
  return message_id === undefined ? [] : [message_id];
}

/** The items of messages in the history, as DynamoDB returns them. */
async function imagesOf({ outputs }: Bench, messages: readonly Sent[]): Promise<Map<string, Image>> {
  const client = new DynamoDBClient(clientConfig(outputs.endpoint));
  const images = new Map<string, Image>();
  for (const message_id of messages.flatMap(messageIdOf)) {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: outputs.tables.history,
        Key: marshall(messageAddress(message_id)),
        ConsistentRead: true,
      }),
    );
    if (Item !== undefined) images.set(message_id, Item);
  }
  client.destroy();
  return images;
}

/** Changes of messages, as the stream of the history delivers them. */
async function changesOf(bench: Bench, messages: readonly Sent[], before: ReadonlyMap<string, Image>) {
  const after = await imagesOf(bench, messages);
  // Higher with each call.
  const first = process.hrtime.bigint();
  return {
    shardId: 'profile',
    Records: [...after].map(([id, NewImage], index) => ({
      eventName: before.has(id) ? 'MODIFY' : 'INSERT',
      dynamodb: {
        SequenceNumber: String(first + BigInt(index)),
        Keys: marshall(messageAddress(id)),
        NewImage,
        ...(before.has(id) ? { OldImage: before.get(id) } : {}),
      },
    })),
  };
}
