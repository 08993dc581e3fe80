import { setTimeout as delay } from 'node:timers/promises';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { inRegionOf } from '../../cli/stage/stage-region.ts';
import { clientConfig } from '../../local/local-account.ts';
import type { Cost, RunResult } from '../results/run-result.ts';
import { besideOf, egressOf, type Stored, storedOf } from './beside.ts';
import { costOfUsed, workOfUsed } from './bill.ts';
import { type Metered, readMetered } from './metered-line.ts';
import { doneFor, shareFor } from './ours.ts';
import { type LogLine, pipelineLogGroups, readLog } from './read-log.ts';
import { type HistoryAt, storedBytes } from './stored.ts';
import { usedBy } from './usage.ts';

/** A stretch of time, in ms since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Metering {
  readonly cost?: Cost;
  readonly work?: NonNullable<RunResult['work']>;
  /** What somebody should know who reads it. */
  readonly remarks: readonly string[];
}

/** A stage that writes metered lines: one with the load lab. */
export interface MeteredStage {
  readonly name: string;
  /** Where an emulator is, `AWS_ENDPOINT_URL`; empty on AWS, where the person's credentials are used. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where to see what is stored. @default - it is not told */
  readonly history?: HistoryAt;
}

/** Lines can be read a moment after they were written; on AWS that takes some seconds. */
const LINES_LAG_MS = 20_000;
const SLEEP_MS = 1_000;

/** Whose deliveries are metered. */
export interface MeteredRun {
  /** Messages that were delivered. */
  readonly deliveries: number;
  /** All that were expected, each with its service. */
  readonly messages: readonly Stored[];
  /** The run's own: what is done for others is left out. */
  readonly services: ReadonlySet<string>;
  readonly receipts: Parameters<typeof egressOf>[0];
}

/**
 * What the deliveries of a run have cost and how hard match and deliver worked for them, by the lines that the stage's functions wrote in that time. What
 * they did for services of others is left out and counted apart, and logs but the metered lines are shared out by invocations; what they do for nobody,
 * such as the minutely sweep, counts.
 *
 * @returns nothing when nothing was delivered, or nothing metered
 */
export async function costOf(stage: MeteredStage, span: Span, run: MeteredRun): Promise<Metering> {
  const isOurs = (service: string) => run.services.has(service);
  const { metered, logBytes } = sorted(await allLines(stage, span, run.deliveries, isOurs));
  if (run.deliveries === 0 || metered.length === 0) {
    return { remarks: [] };
  }
  const { ours, others } = doneFor(metered, isOurs);
  const ownPart = ours.reduce((sum, { share }) => sum + share, 0) / metered.length;
  const used = usedBy(ours, logBytes * ownPart);
  const { stored, remarks } = await storedNow(stage, run.messages);
  const egress = egressOf(run.receipts, new Set(run.messages.map(({ messageId }) => messageId)));
  const cost = {
    ...costOfUsed(used, run.deliveries),
    beside: besideOf({ storedBytes: stored, egressBytes: egress }, run.deliveries),
    others: { ...others },
  };
  return { cost, work: workOfUsed(used, run.deliveries), remarks };
}

/** For a load run: counts from `start` to `stop`, and reads it when all is known of the run. */
export function runMeter(stage: MeteredStage) {
  let fromMs = Date.now();
  let toMs = fromMs;
  return {
    start(): void {
      fromMs = Date.now();
    },
    stop(): void {
      toMs = Date.now();
    },
    read: (run: MeteredRun): Promise<Metering> => costOf(stage, { fromMs, toMs }, run),
  };
}

/** That it could not be read is no reason to lose the run. */
async function storedNow(
  { history }: MeteredStage,
  messages: readonly Stored[],
): Promise<{ readonly stored?: number | undefined; readonly remarks: readonly string[] }> {
  if (history === undefined) return { remarks: [] };
  try {
    return { stored: await storedOf(messages, (ids) => storedBytes(history, ids)), remarks: [] };
  } catch (error) {
    return { remarks: [`What is stored of a delivery could not be read: ${(error as Error).message}`] };
  }
}

/** The metered lines, and how much the others weigh: those are there without the lab, too. CloudWatch bills 26 bytes for each beside its text. */
export function sorted(lines: readonly LogLine[]): { metered: Metered[]; logBytes: number } {
  const metered: Metered[] = [];
  let logBytes = 0;
  for (const { text } of lines) {
    const line = readMetered(text);
    if (line === undefined) {
      logBytes += Buffer.byteLength(text) + 26;
    } else {
      metered.push(line);
    }
  }
  return { metered, logBytes };
}

/** Waits a little for lines of deliver with as many records of the run's own as there were deliveries. */
async function allLines(
  stage: MeteredStage,
  span: Span,
  deliveries: number,
  isOurs: (service: string) => boolean,
): Promise<LogLine[]> {
  const endpoint = stage.environment.AWS_ENDPOINT_URL;
  const logs = new CloudWatchLogsClient(
    endpoint === undefined ? inRegionOf(stage.name) : clientConfig(endpoint),
  );
  const startedAtMs = performance.now();
  const groups = await pipelineLogGroups(logs, stage.name);
  for (;;) {
    const lines = (
      await Promise.all(groups.map((group) => readLog(logs, group, span.fromMs, span.toMs + LINES_LAG_MS)))
    ).flat();
    const records = sorted(lines).metered.reduce(
      (sum, line) => sum + (line.service === 'deliver' ? shareFor(line, isOurs) * line.records : 0),
      0,
    );
    if (records >= deliveries || performance.now() - startedAtMs > LINES_LAG_MS) {
      return lines;
    }
    await delay(SLEEP_MS);
  }
}
