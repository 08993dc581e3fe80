import { type Check, type Expected, type Line, recordedOf } from '../evidence/backlog.ts';
import { allowanceMs } from '../evidence/touches.ts';

/** This many failed probes of one payment in a row, with others in the backlog, are too many. */
const IN_A_ROW = 3;
/** By then the backlog's index shows what joined it. */
const SEEN_MS = 60_000;

/**
 * Without failures of ours, probes rotate through the backlog: one poisoned payment cannot block the others.
 */
export const probesTakeTurns: Check = (world, lines) =>
  world.subscriptions.flatMap((subscription) => {
    const own = lines.filter((backlog) => backlog.subscription === subscription);
    const probes = own
      .flatMap(({ key, messages }) =>
        messages.flatMap((message) =>
          message.requests
            .filter((request) => !request.heardSuccess && recordedOf(request, message)[0]?.probe)
            .map(({ startedAtMs }) => ({ key, startedAtMs })),
        ),
      )
      .sort((one, other) => one.startedAtMs - other.startedAtMs);
    return probes.flatMap(({ key, startedAtMs }, index) => {
      const last = probes[index + IN_A_ROW - 1];
      const row = probes.slice(index, index + IN_A_ROW);
      return last !== undefined &&
        row.every((probe) => probe.key === key) &&
        own.some(
          (backlog) =>
            backlog.key !== key && waits(backlog, startedAtMs - SEEN_MS - world.plan.lagMs, last.startedAtMs),
        ) &&
        allowanceMs(world, [key, subscription.subscription_id], startedAtMs, last.startedAtMs) === 0
        ? [`${key} probed ${IN_A_ROW} times in a row, with others in the backlog`]
        : [];
    });
  });

/** Whether the first message of an ordering key was in the backlog all the time, untouched. */
function waits({ messages }: Line, fromMs: number, untilMs: number): boolean {
  return messages.some(({ writes }: Expected) => {
    const before = writes.findLast(({ atMs, record }) => record !== undefined && atMs <= fromMs);
    const { state, state_reason } = before?.record ?? {};
    const isUntouched = !writes.some(({ atMs }) => atMs > fromMs && atMs <= untilMs);
    return state === 'parked' && state_reason === 'circuit_open' && isUntouched;
  });
}
