import type { Partner } from '../partners/partner.ts';
import { apply, applyFirst, type PartnerGroup } from '../partners/partner-groups.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { warmUp } from './warm-up.ts';

/**
 * Duration of each attempt while workers start: below the three seconds from which an endpoint counts as
 * slow, also on a machine that is busy starting processes.
 */
const HELD_MS = 1_500;
const SECONDS = 12;

/**
 * Starts that many workers by keeping as many attempts in progress, one per worker. A hanging partner
 * occupies a worker for as long as an attempt may take: without this, the run would measure how long a
 * process takes to start.
 */
export async function bringUpWorkers(
  stage: LabStage,
  partners: readonly Partner[],
  groups: readonly PartnerGroup[],
  given: { readonly run: string; readonly workers: number; readonly signal: AbortSignal },
): Promise<void> {
  const { run, workers, signal } = given;
  const rate = (workers * 1_000) / HELD_MS;
  await apply({ receiver: { delay_ms: HELD_MS } }, partners);
  await warmUp(stage, partners, { run: `${run}_b`, rate, seconds: SECONDS, signal });
  await applyFirst(groups, partners);
}
