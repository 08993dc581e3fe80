import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from '../findings/findings.ts';
import { type Customer, newCustomer } from '../partners/partner.ts';
import { apply, customerOptions, type FilledPartners, filledPartners } from '../partners/partner-groups.ts';
import { bringUpWorkers } from '../scenario/bring-up.ts';
import { warmUp } from '../scenario/warm-up.ts';
import { type EmptyPipeline, emptyPipeline } from '../stage/empty-pipeline.ts';
import { asksForSlowStore, callsSentence, slowStoreOf, storeSettings } from '../stage/slow-store.ts';
import type { CellRun } from './cell-run.ts';
import { measured } from './measure-cell.ts';

const WARM_UP_RATE = 20;

/** What follows a delivery: its record, the tally of it. It is the warm-up's, and must not be counted as the run's. */
const SETTLING_MS = 3_000;

/** Makes partners, warms up, sends, waits until all is delivered, judges; whatever happens, the partners are gone at the end. */
export async function runCell(given: CellRun): Promise<Findings> {
  const { stage, scenario, parameters, run, say } = given;
  const groups = filledPartners(scenario, parameters);
  const store = asksForSlowStore(parameters) ? slowStoreOf(stage) : undefined;
  const customers: Customer[] = [];
  let empty: EmptyPipeline | undefined;
  try {
    for (const wanted of customerOptions(groups, run, Number(parameters.subscriptions_per_service ?? 1))) {
      given.signal.throwIfAborted();
      customers.push(await newCustomer(stage, wanted));
    }
    for (const { name, receiver } of groups) {
      await apply(
        { receiver },
        customers.filter(({ group }) => group === name),
      );
    }
    empty = emptyPipeline(stage, run);
    const remarks = given.isWarm ? [] : await warmed(given, customers, groups);
    await store?.behave(storeSettings(parameters));
    empty.countFromHere();
    const findings = await measured(given, customers, groups, empty);
    if (store !== undefined) {
      const sentence = callsSentence(await store.calls());
      remarks.push(given.cell.name === 'all' ? sentence : `${given.cell.name}: ${sentence}`);
    }
    return { ...findings, remarks: [...findings.remarks, ...remarks] };
  } finally {
    await empty?.stop();
    await store
      ?.behave([])
      .catch((error: Error) => say(`The store could not be set right again: ${error.message}`));
    const left = (await Promise.all(customers.map((customer) => customer.leave()))).flat();
    if (left.length > 0) say(`Something could not be cleaned up: ${left[0]}`);
  }
}

/** Has workers there before anything is measured; answers what a reader should know of it. */
async function warmed(
  { stage, parameters, run, signal, say }: CellRun,
  customers: readonly Customer[],
  groups: readonly FilledPartners[],
): Promise<string[]> {
  const workers = Number(parameters.warm_workers ?? 0);
  const seconds = Number(parameters.warm_up ?? 0);
  if (workers > 0) {
    say(`Bringing up ${workers} workers`);
    await bringUpWorkers(stage, customers, groups, { run, workers, signal });
  }
  if (seconds > 0) {
    const rate = 2 * Number(parameters.rate ?? WARM_UP_RATE);
    say(`Warming up: ${rate} payments/s for ${seconds} s`);
    await warmUp(stage, customers, { run, rate, seconds, signal });
  }
  if (workers + seconds > 0) await delay(SETTLING_MS, undefined, { signal });
  return workers > 0
    ? [`${workers} workers of deliver were brought up before: ${workers} attempts were under way at a time.`]
    : [];
}
