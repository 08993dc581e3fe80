import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { type Check, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { measured } from '../stacks/metrics.ts';

/** A deferred record is received and logged again after at most 90 s. */
const MINUTES = 5;
/** Log lines name the records; on AWS the metric counts them. */
const MAX_PAGES = 20;

const lineSchema = z.object({
  message: z.literal('record.deferred'),
  record_id: z.string(),
  ordering_key: z.string(),
  receive_count: z.number(),
  /** Absent for one that waits behind it. */
  format_version: z.number().optional(),
});
type Line = z.infer<typeof lineSchema>;

/** Whether records wait in the deliveries queue for a version of deliver that knows their format. */
export const deferredRecords: Check = {
  name: 'deferred-records',
  async run(stage) {
    // The log of a large stage is long, so it is searched only when the metric says so. The emulator has no
    // such metric.
    if (!stage.settings.emulated && !(await isHolding(stage))) {
      return ok('no record waits for a later version of deliver');
    }
    const records = new Map((await linesOf(stage)).map((line) => [line.record_id, line]));
    const lines = [...records.values()];
    if (stage.settings.emulated && lines.length === 0) {
      return ok('no record waits for a later version of deliver');
    }
    const versions = [...new Set(lines.flatMap(({ format_version: version }) => version ?? []))].sort();
    const payments = new Set(lines.map(({ ordering_key }) => ordering_key)).size;
    const max = Math.max(1, ...lines.map(({ receive_count }) => receive_count));
    const seen =
      lines.length === 0
        ? `the metric ${METRIC.recordDeferred} says so, and the log of the last ${MINUTES} minutes did not show which`
        : `${lines.length} of ${payments} ${payments === 1 ? 'payment' : 'payments'}, received up to ${max} times`;
    return {
      ...warning(
        `records wait for a deliver that knows format version ${versions.join(', ') || 'of theirs'}: ${seen}`,
        'During a deployment the new version takes them within minutes. Else deploy the version that wrote them, or a later one: docs/releasing.md#read-first-write-later. Nothing is lost, and later messages of these payments wait behind them.',
      ),
      details: lines
        .slice(0, 10)
        .map(({ ordering_key, record_id }) => `${ordering_key}, record ${record_id}`),
    };
  },
};

async function isHolding(stage: ExaminedStage): Promise<boolean> {
  const deferred = await measured(stage, {
    namespace: stage.settings.metricNamespace,
    name: METRIC.recordDeferred,
    dimensions: { service: 'deliver' },
    statistic: 'Sum',
    minutes: MINUTES,
  });
  return deferred.some((count) => count > 0);
}

async function linesOf(stage: ExaminedStage): Promise<readonly Line[]> {
  const [logGroupName] = await stage.named('pipeline', 'Logs::LogGroup', 'DeliverLogs');
  const lines: Line[] = [];
  let pages = 0;
  for await (const { events = [] } of paginateFilterLogEvents(
    { client: stage.clients.logs },
    { logGroupName, startTime: Date.now() - MINUTES * 60_000, filterPattern: '"record.deferred"' },
  )) {
    lines.push(...events.flatMap(({ message = '' }) => lineIn(message) ?? []));
    pages += 1;
    if (pages === MAX_PAGES) {
      break;
    }
  }
  return lines;
}

function lineIn(text: string): Line | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
