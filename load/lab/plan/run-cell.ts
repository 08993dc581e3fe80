import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from '../findings/findings.ts';
import { createPartner, type Partner } from '../partners/partner.ts';
import { applyFirst, type PartnerGroup, partnerGroups, partnerOptions } from '../partners/partner-groups.ts';
import { bringUpWorkers } from '../scenario/bring-up.ts';
import { warmUp } from '../scenario/warm-up.ts';
import { type EmptyPipeline, emptyPipeline } from '../stage/empty-pipeline.ts';
import { delaysStore, storeDelay } from '../stage/slow-store.ts';
import type { CellRun } from './cell-run.ts';
import { measureCell } from './measure-cell.ts';

const WARM_UP_RATE = 20;

/** Records and statistics follow a delivery. Those of the warm-up must not count for the run. */
const SETTLING_MS = 3_000;

/** Creates partners, warms up, and measures. The partners are removed in any case. */
export async function runCell(given: CellRun): Promise<Findings> {
  const { stage, scenario, parameters, run, say } = given;
  const groups = partnerGroups(scenario, parameters);
  const delayStore = delaysStore(parameters) ? storeDelay(stage) : undefined;
  const partners: Partner[] = [];
  let empty: EmptyPipeline | undefined;
  try {
    for (const options of partnerOptions(groups, run, Number(parameters.subscriptions_per_service ?? 1))) {
      given.signal.throwIfAborted();
      partners.push(await createPartner(stage, options));
    }
    await applyFirst(groups, partners);
    empty = emptyPipeline(stage, run);
    const remarks = given.isWarm ? [] : await warmedUp(given, partners, groups);
    await delayStore?.(Number(parameters.store_delay_ms));
    empty.countFromHere();
    const findings = await measureCell(given, partners, groups, empty);
    return { ...findings, remarks: [...findings.remarks, ...remarks] };
  } finally {
    await empty?.stop();
    await delayStore?.(0).catch((error: Error) =>
      say(`Could not reset the slow-store proxy: ${error.message}`),
    );
    const left = (await Promise.all(partners.map((partner) => partner.leave()))).flat();
    if (left.length > 0) say(`Cleanup is incomplete: ${left[0]}`);
  }
}

/** Starts workers before anything is measured. Returns remarks for the report. */
async function warmedUp(
  { stage, parameters, run, signal, say }: CellRun,
  partners: readonly Partner[],
  groups: readonly PartnerGroup[],
): Promise<string[]> {
  const workers = Number(parameters.warm_workers ?? 0);
  const seconds = Number(parameters.warm_up ?? 0);
  if (workers > 0) {
    say(`Starting ${workers} workers`);
    await bringUpWorkers(stage, partners, groups, { run, workers, signal });
  }
  if (seconds > 0) {
    const rate = 2 * Number(parameters.rate ?? WARM_UP_RATE);
    say(`Warming up: ${rate} payments/s for ${seconds} s`);
    await warmUp(stage, partners, { run, rate, seconds, signal });
  }
  if (workers + seconds > 0) await delay(SETTLING_MS, undefined, { signal });
  return workers > 0
    ? [`${workers} workers of deliver were started first, by ${workers} attempts in progress at a time.`]
    : [];
}
