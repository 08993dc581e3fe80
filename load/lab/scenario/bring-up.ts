import type { Customer } from '../partners/partner.ts';
import { apply, type FilledPartners } from '../partners/partner-groups.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { warmUp } from './warm-up.ts';

/** What each attempt takes meanwhile: below the three seconds from which an endpoint is taken for slow, also on a machine that starts processes. */
const HELD_MS = 1_500;
const SECONDS = 12;

/**
 * Brings so many workers up by having that many attempts under way at a time, one to a worker. A hanging partner holds a worker for as long as an
 * attempt may take: without this, what is measured beside it is how long a process takes to start.
 */
export async function bringUpWorkers(
  stage: LabStage,
  customers: readonly Customer[],
  groups: readonly FilledPartners[],
  given: { readonly run: string; readonly workers: number; readonly signal: AbortSignal },
): Promise<void> {
  const { run, workers, signal } = given;
  const rate = (workers * 1_000) / HELD_MS;
  await apply({ receiver: { delay_ms: HELD_MS } }, customers);
  await warmUp(stage, customers, { run: `${run}_b`, rate, seconds: SECONDS, signal });
  for (const { name, receiver } of groups) {
    await apply(
      { receiver },
      customers.filter(({ group }) => group === name),
    );
  }
}
