import type { Expected, Line } from './line.ts';
import { type Check, nameOf } from './line.ts';

/** What the way takes: polls, port calls, the batch before it in its shard, and the 250 ms of the early release. */
const WAY_MS = 1_000;
/** A timer goes off with the full second, and has its own way. */
const TIMER_MS = 2_500;
/** Sweep comes each minute, and a timer of its making once more. */
const SWEEP_MS = 65_000;

/**
 * In a world where nothing of ours fails and workers are plenty: whoever answers quickly waits for nobody else's endpoint, and a failed
 * attempt is made again in time.
 */
export const nobodyWaitsForOthers: Check = (world, lines) => {
  const { plan } = world;
  if (plan.faults.untilMs > 0 || plan.workers.deliver < 50) {
    return [];
  }
  return lines
    .filter(({ plan: { secretlessUntilMs, owner } }) => secretlessUntilMs === 0 && owner.length === 0)
    .flatMap((line) => {
      const writes = world.tables.subscriptions.writes.filter(
        ({ subscriptionId }) => subscriptionId === line.subscription.subscription_id,
      );
      const isAlwaysClosed = writes.every(({ after }) => after.circuit.state === 'closed');
      // What comes while a late message waits is held up by that; a limit holds up all.
      const isHeldUp =
        line.subscription.rate_limit !== undefined || line.messages.some(({ asks }) => asks.length > 0);
      return isAlwaysClosed && !isHeldUp
        ? [...lateFirsts(line), ...lateAgain(line, world.policy.longestTimerMs)]
        : [];
    });
};

/** From admission, or from the end of the message before it in its line. */
function lateFirsts(line: Line): string[] {
  let freeAtMs = 0;
  return line.messages.flatMap((message) => {
    const firstAtMs = message.requests[0]?.startedAtMs;
    const waitedMs = (firstAtMs ?? 0) - Math.max(message.admittedAtMs, freeAtMs);
    freeAtMs = Math.max(freeAtMs, endOf(message));
    return waitedMs > WAY_MS ? [`${nameOf(message, line)} waited ${waitedMs} ms for its first attempt`] : [];
  });
}

/** When the message was over for its line. */
function endOf({ writes }: Expected): number {
  return writes.at(-1)?.atMs ?? 0;
}

function lateAgain(line: Line, longestTimerMs: number): string[] {
  return line.messages.flatMap((message) =>
    message.writes.flatMap(({ atMs, record }) => {
      const again = message.requests.find(({ attempt }) => attempt === (record?.attempt_count ?? 0) + 1);
      if (record?.state !== 'retrying' || again === undefined) {
        return [];
      }
      const dueAtMs = Date.parse(record.next_attempt_at ?? '');
      const lateMs = again.workersTimeMs - dueAtMs;
      const slackMs = dueAtMs - atMs > longestTimerMs ? SWEEP_MS : TIMER_MS;
      return lateMs > slackMs ? [`${nameOf(message, line)} was tried again ${lateMs} ms late`] : [];
    }),
  );
}
