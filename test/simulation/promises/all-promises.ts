import type { World } from '../world.ts';
import { attemptsOnRecord } from './attempts-on-record.ts';
import { backlogsShrink } from './backlogs-shrink.ts';
import { bounded } from './bounded.ts';
import { circuitsSpare } from './circuits-spare.ts';
import { circuitsWork } from './circuits-work.ts';
import { disabledWhenAllowed } from './disabled-when-allowed.ts';
import { endedForAReason } from './ended-for-a-reason.ts';
import { endedInTime } from './ended-in-time.ts';
import { lateMessages } from './late-messages.ts';
import { limitsKept } from './limits-kept.ts';
import { type Check, linesOf } from './line.ts';
import { nobodyForgotten } from './nobody-forgotten.ts';
import { nobodyWaitsForOthers } from './nobody-waits-for-others.ts';
import { nothingLost } from './nothing-lost.ts';
import { orderPerPayment } from './order-per-payment.ts';
import { ownersObeyed } from './owners-obeyed.ts';
import { probesTakeTurns } from './probes-take-turns.ts';
import { recoveriesComplete } from './recoveries-complete.ts';
import { repeatsExplained } from './repeats-explained.ts';
import { retriesOnSchedule } from './retries-on-schedule.ts';
import { windowsKept } from './windows-kept.ts';

const PROMISES: Readonly<Record<string, Check>> = {
  'nothing is lost': nothingLost,
  'order per payment': orderPerPayment,
  'at least once': repeatsExplained,
  'on record': attemptsOnRecord,
  'nobody waits for others': nobodyWaitsForOthers,
  'ended for a reason': endedForAReason,
  'retries on schedule': retriesOnSchedule,
  'circuits spare': circuitsSpare,
  'circuits work': circuitsWork,
  'probes take turns': probesTakeTurns,
  'late messages': lateMessages,
  'recoveries are complete': recoveriesComplete,
  'limits are kept': limitsKept,
  'no loops': bounded,
  'owners are obeyed': ownersObeyed,
  'disabled when allowed': disabledWhenAllowed,
  'windows are kept': windowsKept,
  'backlogs shrink': backlogsShrink,
  'ended in time': endedInTime,
  'nobody is forgotten': nobodyForgotten,
};

/** What a finished run has broken of what the product promises, each with the promise's name in front; nothing when all was kept. */
export function brokenPromises(world: World): string[] {
  const lines = linesOf(world);
  return Object.entries(PROMISES).flatMap(([name, check]) =>
    check(world, lines).map((sentence) => `${name}: ${sentence}`),
  );
}
