import type { World } from '../world.ts';
import { attemptsOnRecord } from './attempts-on-record.ts';
import { bounded } from './bounded.ts';
import { backlogsShrink } from './circuits/backlogs-drain.ts';
import { circuitsSpare } from './circuits/circuits-spare.ts';
import { circuitsWork } from './circuits/circuits-work.ts';
import { disabledWhenAllowed } from './circuits/disabled-when-allowed.ts';
import { limitsKept } from './circuits/limits-kept.ts';
import { windowsKept } from './circuits/windows-kept.ts';
import { endedForAReason } from './ended-for-a-reason.ts';
import { endedInTime } from './ended-in-time.ts';
import { type Check, linesOf } from './evidence/backlog.ts';
import { inSequence } from './in-sequence.ts';
import { lateMessages } from './late-messages.ts';
import { nobodyForgotten } from './nobody-forgotten.ts';
import { nobodyWaitsForOthers } from './nobody-waits-for-others.ts';
import { nothingLost } from './nothing-lost.ts';
import { orderPerPayment } from './order-per-payment.ts';
import { healthyReached } from './outside/healthy-reached.ts';
import { marked } from './outside/marked.ts';
import { nothingReturned } from './outside/nothing-returned.ts';
import { orderSeen } from './outside/order-seen.ts';
import { overloadPaced } from './outside/overload-paced.ts';
import { partnersObeyed } from './partners-obeyed.ts';
import { provenFirst } from './proven-first.ts';
import { recoveriesComplete } from './recoveries-complete.ts';
import { repeatsExplained } from './repeats-explained.ts';
import { retriesOnSchedule } from './retries-on-schedule.ts';

const PROMISES: Readonly<Record<string, Check>> = {
  'nothing is lost': nothingLost,
  'order per payment': orderPerPayment,
  'order as endpoints see it': orderSeen,
  'in sequence': inSequence,
  'at least once': repeatsExplained,
  'on record': attemptsOnRecord,
  'nobody waits for others': nobodyWaitsForOthers,
  'healthy payments are reached': healthyReached,
  'overload is paced': overloadPaced,
  'what does not fit is marked': marked,
  'nothing is returned': nothingReturned,
  'ended for a reason': endedForAReason,
  'retries on schedule': retriesOnSchedule,
  'circuits spare': circuitsSpare,
  'circuits work': circuitsWork,
  'late messages': lateMessages,
  'recoveries are complete': recoveriesComplete,
  'limits are kept': limitsKept,
  'no loops': bounded,
  'partners are obeyed': partnersObeyed,
  'proven first': provenFirst,
  'disabled when allowed': disabledWhenAllowed,
  'windows are kept': windowsKept,
  'backlogs shrink': backlogsShrink,
  'ended in time': endedInTime,
  'nobody is forgotten': nobodyForgotten,
};

/** The promises that a finished run has broken: one sentence each, after the promise's name. */
export function brokenPromises(world: World): string[] {
  const lines = linesOf(world);
  return Object.entries(PROMISES).flatMap(([name, check]) =>
    check(world, lines).map((sentence) => `${name}: ${sentence}`),
  );
}
