import { setTimeout as delay } from 'node:timers/promises';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { METERED } from '../../functions/shared/aws-meter-line.ts';
import { clientConfig } from '../../local/local-account.ts';
import type { Cost, RunResult } from '../run-result.ts';
import { costOfUsed, workOfUsed } from './bill.ts';
import { type Metered, readMetered } from './metered-line.ts';
import { type LogLine, pipelineLogGroups, readLog } from './read-log.ts';
import { usedBy } from './usage.ts';

/** A stretch of time, in ms since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CostOfRun {
  readonly cost: Cost;
  readonly work: NonNullable<RunResult['work']>;
}

/** A stage that writes metered lines: one with the load lab. */
export interface MeteredStage {
  readonly name: string;
  /** Where an emulator is, `AWS_ENDPOINT_URL`; empty on AWS, where the person's credentials are used. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Lines can be read a moment after they were written; on AWS that takes some seconds. */
const LINES_LAG_MS = 20_000;
const PAUSE_MS = 1_000;

/**
 * What the deliveries of a run have cost and how hard match and deliver worked for them, by the lines that the stage's functions wrote in that time. All
 * that the stage did then counts, whoever asked for it.
 *
 * @param deliveries messages that were delivered
 * @returns undefined when nothing was delivered, or nothing metered
 */
export async function costOf(
  stage: MeteredStage,
  span: Span,
  deliveries: number,
): Promise<CostOfRun | undefined> {
  const lines = await allLines(stage, span, deliveries);
  const { metered, logBytes } = sorted(lines);
  if (deliveries === 0 || metered.length === 0) {
    return undefined;
  }
  const used = usedBy(metered, logBytes);
  return { cost: costOfUsed(used, deliveries), work: workOfUsed(used, deliveries) };
}

/** For a load run: counts from `start` to `stop`. */
export function runMeter(stage: MeteredStage) {
  let fromMs = Date.now();
  return {
    async start(): Promise<void> {
      fromMs = Date.now();
    },
    async stop(deliveries: number): Promise<Partial<CostOfRun>> {
      return (await costOf(stage, { fromMs, toMs: Date.now() }, deliveries)) ?? {};
    },
  };
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

async function allLines(stage: MeteredStage, span: Span, deliveries: number): Promise<LogLine[]> {
  const endpoint = stage.environment.AWS_ENDPOINT_URL;
  const logs = new CloudWatchLogsClient(endpoint === undefined ? {} : clientConfig(endpoint));
  const startedAtMs = performance.now();
  const groups = await pipelineLogGroups(logs, stage.name);
  for (;;) {
    const lines = (
      await Promise.all(groups.map((group) => readLog(logs, group, span.fromMs, span.toMs + LINES_LAG_MS)))
    ).flat();
    const records = lines.reduce((sum, { text }) => sum + recordsOfDeliver(text), 0);
    if (records >= deliveries || performance.now() - startedAtMs > LINES_LAG_MS) {
      return lines;
    }
    await delay(PAUSE_MS);
  }
}

function recordsOfDeliver(line: string): number {
  const metered = line.includes(METERED) ? readMetered(line) : undefined;
  return metered?.service === 'deliver' ? metered.records : 0;
}
