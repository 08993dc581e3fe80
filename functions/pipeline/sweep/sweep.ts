import { chunks } from '../../adapters/dynamodb/chunks.ts';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { checkAtMs, ifNear } from '../../core/signal/due.ts';
import type { Overdue } from '../../core/signal/overdue.ts';
import { instant } from '../../core/text/instant.ts';
import type { SweepPorts } from './ports.ts';

/** A sweep starts nothing later than this after it began; the function has 60 s. */
const WORKING_TIME_MS = 50_000;

/** How many are moved on at the same time, and have their timers sent together. */
const AT_ONCE = 50;

/** How long a check is put off while its timer is sent: if this sweep dies, another one finds it. */
const LEASE_MS = 30_000;

/**
 * Finds what is overdue, too far away for a timer so far, over age or forgotten, and sends each a timer. Its
 * check moves on a little before that, and to its time afterwards: an overload, in which the first cannot be
 * written, does not repeat itself, and a worker that dies in between leaves nothing behind for long.
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
      swept.woken += await sendTimers(some, ports, policy);
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
async function sendTimers(
  some: readonly Overdue[],
  ports: SweepPorts,
  policy: DeliveryPolicy,
): Promise<number> {
  const nowMs = ports.now();
  const dueAtMs = ({ dueAt }: Overdue) => (dueAt === undefined ? nowMs : Math.max(Date.parse(dueAt), nowMs));
  const armingOf = (overdue: Overdue) =>
    ifNear({ timer: overdue.timer, dueAtMs: dueAtMs(overdue) }, nowMs, policy);
  const isNear = (overdue: Overdue) => armingOf(overdue).length > 0;
  // Later than now: an item that is overdue at once would be found for ever.
  const checkAtOf = (overdue: Overdue) =>
    instant(Math.max(checkAtMs(dueAtMs(overdue), nowMs, policy), nowMs + 1));
  const leasedUntil = instant(nowMs + LEASE_MS);
  const ours = await moved(some, (overdue) => (isNear(overdue) ? leasedUntil : checkAtOf(overdue)), ports);
  const armed = ours.filter(isNear);
  if (armed.length === 0) {
    return 0;
  }
  try {
    await ports.arm(armed.flatMap(armingOf));
  } catch (error) {
    for (const overdue of armed) {
      ports.observer.internalError(error, overdue);
    }
    return 0;
  }
  // One that fails, or that a timer has overtaken, is left as it is.
  const leased = armed.map((overdue) => ({ ...overdue, checkAt: leasedUntil }));
  await moved(leased, checkAtOf, ports);
  return armed.length;
}

/** Moves the checks of each, and answers those that no other worker has moved meanwhile. */
async function moved(
  some: readonly Overdue[],
  checkAtOf: (overdue: Overdue) => string,
  ports: SweepPorts,
): Promise<Overdue[]> {
  const isOurs = await Promise.all(
    some.map(async (overdue) => {
      try {
        return await ports.moveCheck(overdue, checkAtOf(overdue));
      } catch (error) {
        ports.observer.internalError(error, overdue);
        return false;
      }
    }),
  );
  return some.filter((_, index) => isOurs[index]);
}
