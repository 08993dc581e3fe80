import { chunks } from '../../adapters/dynamodb/chunks.ts';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { recoveryTimer } from '../../core/message/recovery.ts';
import { checkAtMs } from '../../core/ordering/blocked-ordering-key.ts';
import type { Overdue } from '../../core/ordering/overdue.ts';
import type { Arming } from '../../core/ordering/ports.ts';
import { timerOfKey } from '../../core/ordering/timers.ts';
import { timerOfGap } from '../../core/sequence/gap-timer.ts';
import { instant } from '../../core/text/instant.ts';
import type { SweepPorts } from './ports.ts';

/** A sweep starts nothing later than this after it began; the function has 60 s. */
const WORKING_TIME_MS = 50_000;

/** How many are moved on at the same time, and have their timers sent together. */
const AT_ONCE = 50;

/**
 * Finds what is overdue, too far away for a timer so far, over age or forgotten, and sends each a timer. Its
 * check moves on first: if nothing else comes of it, it is found again a little later, and an overload does
 * not repeat itself.
 *
 * @throws when the indexes cannot be read to their end
 */
export async function sweep(ports: SweepPorts, policy: DeliveryPolicy): Promise<void> {
  const startedAtMs = ports.now();
  const hasTime = () => ports.now() < startedAtMs + WORKING_TIME_MS;
  const swept = { found: 0, woken: 0, latestMs: 0, isComplete: false };
  try {
    swept.isComplete = await allWhile(hasTime, ports.overdue(instant(startedAtMs)), async (some) => {
      swept.found += some.length;
      const checks = some.map(({ checkAt }) => startedAtMs - Date.parse(checkAt));
      swept.latestMs = Math.max(swept.latestMs, ...checks);
      swept.woken += await wakeUp(some, ports, policy);
    });
  } finally {
    ports.observer.swept(swept);
  }
}

/** Acts on all pages, part by part, while there is time; false when there was none left. */
async function allWhile<Item>(
  hasTime: () => boolean,
  pages: AsyncIterable<readonly Item[]>,
  act: (some: readonly Item[]) => Promise<void>,
): Promise<boolean> {
  for await (const page of pages) {
    for (const some of chunks(page, AT_ONCE)) {
      if (!hasTime()) {
        return false;
      }
      await act(some);
    }
  }
  return true;
}

/** Answers how many timers were sent. */
async function wakeUp(some: readonly Overdue[], ports: SweepPorts, policy: DeliveryPolicy): Promise<number> {
  const nowMs = ports.now();
  const moved = await Promise.all(
    some.map(async (overdue) => {
      try {
        return await ports.moveCheck(overdue, instant(nextCheckMs(overdue, nowMs, policy)));
      } catch (error) {
        ports.observer.internalError(error, overdue);
        return false;
      }
    }),
  );
  const ours = some.filter((_, index) => moved[index]);
  const armings = ours.flatMap((overdue) => armingsOf(overdue, nowMs, policy));
  try {
    if (armings.length > 0) {
      await ports.arm(armings);
    }
    return armings.length;
  } catch (error) {
    for (const overdue of ours) {
      ports.observer.internalError(error, overdue);
    }
    return 0;
  }
}

/** Always later than now: an item that is overdue at once would be found for ever. */
function nextCheckMs(overdue: Overdue, nowMs: number, policy: DeliveryPolicy): number {
  const dueAt = dueAtOf(overdue);
  return dueAt === undefined
    ? nowMs + policy.graceMs
    : Math.max(checkAtMs(Date.parse(dueAt), nowMs, policy), nowMs + 1);
}

function dueAtOf(overdue: Overdue): string | undefined {
  switch (overdue.kind) {
    case 'key':
      return overdue.key.due_at;
    case 'gap':
      return overdue.payment.due_at;
    default:
      return undefined;
  }
}

/** None when no timer is wanted, or it is due too late for one. */
function armingsOf(overdue: Overdue, nowMs: number, policy: DeliveryPolicy): Arming[] {
  switch (overdue.kind) {
    case 'key':
      return timerOfKey(overdue.key, Math.max(Date.parse(overdue.key.due_at), nowMs), nowMs, policy);
    case 'aged_key':
      // Behind a circuit that lets nothing pass, deliver ends what is over age; otherwise its turn in the
      // backlog comes.
      return timerOfKey(overdue.key, nowMs, nowMs, policy);
    case 'circuit':
      return timerOfPending(overdue.subscription, nowMs);
    case 'recovery':
      return [{ timer: recoveryTimer(overdue.recovery), dueAtMs: nowMs }];
    case 'gap':
      return timerOfGap(overdue.payment, Math.max(Date.parse(overdue.payment.due_at), nowMs), nowMs, policy);
  }
}

function timerOfPending(
  { service_id, subscription_id, circuit }: Extract<Overdue, { kind: 'circuit' }>['subscription'],
  nowMs: number,
): Arming[] {
  return circuit?.tick_at === undefined
    ? []
    : [{ timer: { v: 1, kind: 'tick', service_id, subscription_id, tick: circuit.tick }, dueAtMs: nowMs }];
}
