import { setTimeout as delay } from 'node:timers/promises';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import {
  EMPTY_NOTED,
  EMPTY_SOURCE,
  EMPTY_TYPE,
  type EmptyEvent,
} from '../../../functions/load-lab/empty-event.ts';
import { readLog } from '../../cost/read-log.ts';
import type { Percentiles } from '../../results/run-result.ts';
import { percentilesOf } from '../../statistics/percentile.ts';
import { repeating } from '../watch/queue-watch.ts';
import type { EmptySink, LabStage } from './lab-stage.ts';

const INTERVAL_MS = 1_000;
/** The first events start the workers. */
const FIRST_COUNTED = 3;
/** Delay until written lines can be read. */
const LINES_LAG_MS = 5_000;
const SLEEP_MS = 500;

const lineSchema = z.object({
  message: z.literal(EMPTY_NOTED),
  run: z.string(),
  number: z.int(),
  time_to_start_ms: z.number(),
});

export interface EmptyPipeline {
  /** Ignores events put so far. */
  countFromHere(): void;
  /**
   * Latency from intake to the start of the second function. Undefined when nothing was recorded or the stage
   * has no such pipeline. Idempotent.
   */
  stop(): Promise<Percentiles | undefined>;
}

/**
 * Puts one event per second on the bus that takes the route of a webhook without any work: its latency is the
 * share of the emulator, or of AWS, in time to send.
 */
export function emptyPipeline(
  { events, busName, emptySink }: Pick<LabStage, 'events' | 'busName' | 'emptySink'>,
  run: string,
  intervalMs = INTERVAL_MS,
): EmptyPipeline {
  if (emptySink === undefined) {
    return { countFromHere: () => {}, stop: async () => undefined };
  }
  const startedAtMs = Date.now();
  let number = 0;
  let from = FIRST_COUNTED;
  let percentiles: Promise<Percentiles | undefined> | undefined;
  const putting = repeating(async () => {
    const Detail = JSON.stringify({ run, number } satisfies EmptyEvent);
    const entry = { EventBusName: busName, Source: EMPTY_SOURCE, DetailType: EMPTY_TYPE, Detail };
    await events.send(new PutEventsCommand({ Entries: [entry] }));
    number += 1;
  }, intervalMs);
  return {
    countFromHere() {
      from = Math.max(FIRST_COUNTED, number);
    },
    stop() {
      // An event that could not be put is missing, which is no reason to fail the run.
      percentiles ??= putting
        .stop()
        .catch(() => {})
        .then(() => latenciesOf(emptySink, run, { from, to: number, startedAtMs }))
        .then(percentilesOf);
      return percentiles;
    },
  };
}

/** Latency of each event. Waits briefly for lines that are still missing. */
async function latenciesOf(
  { logs, logGroup }: EmptySink,
  run: string,
  { from, to, startedAtMs }: { readonly from: number; readonly to: number; readonly startedAtMs: number },
): Promise<number[]> {
  const askedAtMs = performance.now();
  for (;;) {
    const times = new Map<number, number>();
    for (const text of await readLog(logs, logGroup, startedAtMs, Date.now())) {
      const { data } = lineSchema.safeParse(text.includes(EMPTY_NOTED) ? JSON.parse(text) : undefined);
      if (data?.run === run && data.number >= from) times.set(data.number, data.time_to_start_ms);
    }
    if (times.size >= to - from || performance.now() - askedAtMs > LINES_LAG_MS) return [...times.values()];
    await delay(SLEEP_MS);
  }
}
