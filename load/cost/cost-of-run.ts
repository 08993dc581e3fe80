import { setTimeout as delay } from 'node:timers/promises';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { inRegionOf } from '../../cli/stage/chosen-deployment.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { STAGES } from '../../payhooks.config.ts';
import type { Cost, RunResult } from '../results/run-result.ts';
import { sum } from '../statistics/sum.ts';
import { costOfUsed, workOfUsed } from './bill.ts';
import { type Metered, readMetered } from './metered-line.ts';
import { doneFor, shareFor } from './ours.ts';
import { pipelineLogGroups, readLog } from './read-log.ts';
import { usedBy } from './usage.ts';

/** A time span, in ms since 1970. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Metering {
  readonly cost?: Cost;
  readonly work?: NonNullable<RunResult['work']>;
}

/** A stage whose functions write metered lines: one with the load lab. */
interface MeteredStage {
  readonly name: string;
  /** Holds `AWS_ENDPOINT_URL` for an emulator; empty on AWS, where the user's credentials apply. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Lines become readable a moment after they are written; on AWS it takes some seconds. */
const LINES_LAG_MS = 20_000;
const SLEEP_MS = 1_000;

/** The deliveries to meter. */
interface MeteredRun {
  /** Number of delivered messages. */
  readonly deliveries: number;
  /** The run's own services: work for others is left out. */
  readonly services: ReadonlySet<string>;
}

/**
 * What the deliveries of a run cost and how hard match and deliver worked, from the lines that the functions
 * logged in that time. Work for other services is left out. Other log lines are shared out by invocations. Work for nobody in particular, such as the sweep every minute, counts.
 *
 * @returns nothing when nothing was delivered or metered
 */
async function costOf(stage: MeteredStage, span: Span, run: MeteredRun): Promise<Metering> {
  const isOurs = (service: string) => run.services.has(service);
  const { metered, logBytes } = splitLines(await allLines(stage, span, run.deliveries, isOurs));
  if (run.deliveries === 0 || metered.length === 0) return {};
  const ours = doneFor(metered, isOurs);
  const ownPart = sum(ours.map(({ share }) => share)) / metered.length;
  const used = usedBy(ours, logBytes * ownPart);
  return { cost: costOfUsed(used, run.deliveries), work: workOfUsed(used, run.deliveries) };
}

/** A meter for a load run: measures from `start` to `stop`, and is read once all is known of the run. */
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

/** Lambda's own lines, of which a stage on AWS writes none while all is well. */
const OF_LAMBDA = /^(START|END|REPORT) RequestId/;
/** A line of which a stage on AWS writes one of this many. */
const SELDOM_DRAWN = /"message":"delivery.attempted".*"outcome":"delivered".*"attempt":1,.*"drawn_from":1\b/;

/**
 * Separates metered lines from the others, which also exist without the lab, and adds up the size of those
 * on AWS. CloudWatch bills 26 bytes per line besides its text.
 */
export function splitLines(lines: readonly string[]): { metered: Metered[]; logBytes: number } {
  const metered: Metered[] = [];
  let logBytes = 0;
  for (const text of lines) {
    const line = readMetered(text);
    if (line !== undefined) {
      metered.push(line);
    } else if (!OF_LAMBDA.test(text)) {
      logBytes +=
        (Buffer.byteLength(text) + 26) / (SELDOM_DRAWN.test(text) ? STAGES.prod.attemptsPerDraw : 1);
    }
  }
  return { metered, logBytes };
}

/** Waits briefly until the lines of deliver cover as many of the run's records as there were deliveries. */
async function allLines(
  stage: MeteredStage,
  span: Span,
  deliveries: number,
  isOurs: (service: string) => boolean,
): Promise<string[]> {
  const endpoint = stage.environment.AWS_ENDPOINT_URL;
  const logs = new CloudWatchLogsClient(
    endpoint === undefined ? inRegionOf({ by: 'stage', name: stage.name }) : clientConfig(endpoint),
  );
  const startedAtMs = performance.now();
  const groups = await pipelineLogGroups(logs, stage.name);
  for (;;) {
    const lines = (
      await Promise.all(groups.map((group) => readLog(logs, group, span.fromMs, span.toMs + LINES_LAG_MS)))
    ).flat();
    const delivering = splitLines(lines).metered.filter(({ service }) => service === 'deliver');
    const records = sum(delivering.map((line) => shareFor(line, isOurs) * line.records));
    if (records >= deliveries || performance.now() - startedAtMs > LINES_LAG_MS) return lines;
    await delay(SLEEP_MS);
  }
}
