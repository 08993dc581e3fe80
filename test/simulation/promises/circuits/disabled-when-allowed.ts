import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { mayBeOurs } from '../evidence/own-slowness.ts';
import { allowanceMs } from '../evidence/touches.ts';
import { fewestFailures, isOverload, type Untouched, untouchedOf } from '../outside/owed.ts';

/** A worker reports responses while it works through its batch. */
const TOLD_MS = 60_000;

/**
 * A subscription is disabled only after its endpoint said that it wants nothing more, or after days of
 * nothing but failures, several of them, counted from the first one after the last success. An unproven one
 * becomes active once its endpoint has repeated a challenge. Otherwise only its partner and operators change
 * its state. After such days it gets nothing more.
 */
export const disabledWhenAllowed: Check = (world) => [
  ...disabledInVain(world),
  ...untouchedOf(world).flatMap((subscription) => stillSent(subscription, world)),
];

function disabledInVain(world: World): string[] {
  return world.tables.subscriptions.writes
    .filter(({ before, after }) => before.state !== after.state)
    .flatMap(({ atMs, by, subscriptionId, before, after }) => {
      const name = `${subscriptionId} was made ${after.state}, ${after.disabled_reason ?? ''} by ${by}`;
      if (by === 'api') {
        return after.state === 'disabled' ? [name] : [];
      }
      if (before.state === 'unproven' && after.state === 'active') {
        return hasEchoed(subscriptionId, atMs, world) ? [] : [name];
      }
      return after.state === 'disabled' && isAllowed(subscriptionId, after.disabled_reason, atMs, world)
        ? []
        : [name];
    });
}

function hasEchoed(id: string, ms: number, { receivers: { pings } }: World): boolean {
  return pings.some(
    ({ subscriptionId, echoed, heardAtMs }) =>
      subscriptionId === id && echoed === true && heardAtMs !== undefined && heardAtMs <= ms,
  );
}

function isAllowed(
  subscriptionId: string,
  reason: string | undefined,
  atMs: number,
  { receivers, policy, plan }: World,
): boolean {
  const heard = receivers.log
    .filter(
      (one) => one.subscriptionId === subscriptionId && (one.heardAtMs ?? Number.POSITIVE_INFINITY) <= atMs,
    )
    .sort((one, other) => one.heardAtMs! - other.heardAtMs!);
  const recent = heard.filter(({ heardAtMs }) => heardAtMs! > atMs - TOLD_MS);
  switch (reason) {
    case 'gone':
      return recent.some((one) => one.heard?.status_code === 410);
    case 'asked_by_receiver':
      return recent.some((one) => one.heard?.response_headers?.['webhook-delivery'] === 'disable');
    default: {
      // The last answers may not be known yet, nor those of a worker that met a failure.
      const ended = heard.findLast(
        (one) =>
          one.heardSuccess &&
          one.heardAtMs! < atMs - TOLD_MS &&
          one.invocation.met.length === 0 &&
          !heard.some((failed) => mayBeCountedAfter(one, failed)),
      );
      // Of a failure and a success at the same time, either may be told first.
      const failed = heard.filter(
        ({ heardSuccess, heardAtMs }) => !heardSuccess && heardAtMs! >= (ended?.heardAtMs ?? 0),
      );
      const [first] = failed;
      const leastMs = policy.disableAfterMs - plan.clocksDifferMs - TOLD_MS;
      return (
        recent.some(({ heardSuccess }) => !heardSuccess) &&
        first !== undefined &&
        failed.length >= fewestFailures(policy) &&
        atMs - first.heardAtMs! >= leastMs
      );
    }
  }
}

/** A failure whose worker was refused when it counted it: that may take effect after the success that follows. */
function mayBeCountedAfter(success: Received, { heardSuccess, heardAtMs, invocation }: Received): boolean {
  const earlierMs = success.heardAtMs! - heardAtMs!;
  return !heardSuccess && invocation.met.length > 0 && earlierMs >= 0 && earlierMs < TOLD_MS;
}

/**
 * Requests long after days of failures of so many payments that their circuit opened, of which the first one
 * was a first attempt, and long enough after the last success that this could not be told later.
 */
function stillSent({ subscriptionId, heard }: Untouched, world: World): string[] {
  const { policy, plan } = world;
  const leastMs = policy.disableAfterMs + plan.clocksDifferMs + 2 * TOLD_MS;
  const lastMs = heard.at(-1)?.begunAtMs ?? 0;
  let firstMs: number | undefined;
  let openedMs: number | undefined;
  let succeededAtMs = 0;
  const payments = new Set<string>();
  for (const received of heard) {
    const { heardSuccess, heardAtMs = 0, attempt, begunAtMs, invocation, key } = received;
    if (heardSuccess) {
      firstMs = undefined;
      openedMs = undefined;
      payments.clear();
      succeededAtMs = heardAtMs;
    } else if (!isOverload(received) && !mayBeOurs(received, world)) {
      const isCounted = attempt === 1 && invocation.met.length === 0 && heardAtMs > succeededAtMs + TOLD_MS;
      if (heardAtMs - begunAtMs > policy.circuit.slowMs) {
        // Slow attempts start a drain, at whose end payments are counted anew.
        payments.clear();
      } else if (isCounted) {
        payments.add(key);
      }
      firstMs ??= isCounted ? heardAtMs : undefined;
      if (payments.size >= policy.circuit.failedOrderingKeys) {
        openedMs ??= heardAtMs;
      }
      const isOpen = openedMs !== undefined && heardAtMs > openedMs + TOLD_MS;
      // In a drain failures count at its timers, which may have been late.
      const isLong =
        isOpen &&
        firstMs !== undefined &&
        heardAtMs - firstMs >= leastMs + allowanceMs(world, [subscriptionId], firstMs, heardAtMs);
      // Of a failure and a success at the same time, either may be told first.
      const isAlone = !heard.some(
        (other) => other.heardSuccess && Math.abs(other.heardAtMs! - heardAtMs) <= TOLD_MS,
      );
      if (isLong && isAlone && invocation.met.length === 0 && lastMs > heardAtMs + TOLD_MS) {
        return [`${subscriptionId} failed for ${heardAtMs - firstMs!} ms, and is sent more`];
      }
    }
  }
  return [];
}
