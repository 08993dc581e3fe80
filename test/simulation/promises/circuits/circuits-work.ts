import type { EndpointHealthWrite } from '../../aws/tables/subscription-table.ts';
import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { mayBeOurs } from '../evidence/own-slowness.ts';
import { isAlwaysClosedBetween, writesOf } from './circuits-of.ts';

/** How soon after a response its circuit knows of it. */
const TOLD_MS = 1_000;
/** And how soon at the latest, if nothing is in the way. */
const TOLD_AT_ONCE_MS = 300;
/** A batch reports its responses while it works; the counts are read by the circuit timer after that. */
const COUNTED_MS = 3_000;
/** A success after this few failures in a row writes nothing: these failures count for the next ones. */
const PASSED_OVER = 4;

/**
 * A circuit opens exactly when enough payments have failed in a row that had not failed before. An endpoint
 * that wants nothing more, or has failed for days, gets nothing more. Responses whose worker met a failure do
 * not count: they may be reported late, or never.
 */
export const circuitsWork: Check = (world) =>
  world.subscriptions.flatMap(({ subscription_id }) => {
    const writes = writesOf(subscription_id, world);
    const heard = world.receivers.log
      .filter(
        ({ subscriptionId, heardAtMs }) => subscriptionId === subscription_id && heardAtMs !== undefined,
      )
      .sort((one, other) => one.heardAtMs! - other.heardAtMs!);
    return [
      ...unopened(heard, subscription_id, world),
      ...openedInVain(heard, writes, world),
      ...undisabled(heard, writes, world),
    ].map((what) => `${subscription_id}: ${what}`);
  });

function isTold({ invocation: { met, ending } }: Received): boolean {
  return ending === 'ended' && met.length === 0;
}

/** Whether its message had neither failed before, as far as the schedule counts, nor been requested again. */
function isNews({ messageId, begunAtMs }: Received, { history }: World): boolean {
  const before = history
    .writesOf(messageId)
    .findLast(({ atMs, record }) => record !== undefined && atMs < begunAtMs)?.record;
  return before === undefined || (before.attempt_count === 0 && before.late !== true);
}

function unopened(heard: readonly Received[], subscriptionId: string, world: World): string[] {
  const { failedOrderingKeys } = world.policy.circuit;
  let row: Received[] = [];
  for (const received of heard) {
    if (received.heardSuccess) {
      row = [];
    } else if (isTold(received) && isNews(received, world) && !mayBeOurs(received, world)) {
      row.push(received);
    }
    const [first] = row;
    const keys = new Set(row.map(({ key }) => key));
    if (first === undefined || keys.size < failedOrderingKeys) {
      continue;
    }
    const untilMs = received.heardAtMs! + TOLD_MS;
    const isAnswered = heard.some(
      (one) => one.heardSuccess && toldUntilMs(one) > first.heardAtMs! - TOLD_MS && one.heardAtMs! <= untilMs,
    );
    if (
      !isAnswered &&
      isAlwaysClosedBetween({ subscription_id: subscriptionId }, first.invocation.startedAtMs, untilMs, world)
    ) {
      return [`${keys.size} payments failed in a row, but its circuit stays closed`];
    }
  }
  return [];
}

function openedInVain(
  heard: readonly Received[],
  writes: readonly EndpointHealthWrite[],
  world: World,
): string[] {
  const { failedOrderingKeys, firstWindow } = world.policy.circuit;
  const vain = writes.some(({ atMs, by, before, after }) => {
    const from = before.circuit.state;
    const isOpened = after.circuit.state === 'open' && after.state === 'active' && by !== 'api';
    if (!isOpened || (from !== 'closed' && from !== 'draining')) {
      return false;
    }
    const slackMs = from === 'closed' ? TOLD_AT_ONCE_MS : COUNTED_MS;
    // A success of just now, or one whose worker met a failure, may not be known yet.
    const lastMs =
      heard.findLast((one) => one.heardSuccess && isTold(one) && one.heardAtMs! <= atMs - slackMs)
        ?.heardAtMs ?? 0;
    const failed = heard.filter(
      (one) => !one.heardSuccess && toldUntilMs(one) > lastMs - slackMs && one.heardAtMs! <= atMs,
    );
    return from === 'closed'
      ? new Set(failed.map(({ key }) => key)).size <
          Math.max(1, failedOrderingKeys - Math.min(PASSED_OVER, failedOrderingKeys - 2))
      : failed.length < Math.min(failedOrderingKeys, firstWindow);
  });
  return vain ? [`its circuit opened before ${failedOrderingKeys} payments had failed in a row`] : [];
}

function undisabled(
  heard: readonly Received[],
  writes: readonly EndpointHealthWrite[],
  world: World,
): string[] {
  const broken: string[] = [];
  const { policy, history } = world;
  const standsAt = (ms: number) => writes.findLast(({ atMs }) => atMs <= ms)?.after.state ?? 'active';
  // A partner may have been faster.
  const isWell = (ms: number) =>
    standsAt(ms + TOLD_MS) === 'active' &&
    !writes.some(({ by, atMs }) => by === 'api' && Math.abs(atMs - ms) <= 2 * TOLD_MS);
  // Of a round whose other probe has just succeeded, a failure says nothing new: its circuit drains by then.
  const isOfVainRound = (ms: number) =>
    lastWellMs < ms - TOLD_MS &&
    writes.findLast(({ atMs }) => atMs <= ms)?.after.circuit.state === 'half_open';
  let lastWellMs = Number.NEGATIVE_INFINITY;
  let firstVainMs: number | undefined;
  for (const received of heard.filter((one) => !mayBeOurs(one, world))) {
    const { heard: answer, heardAtMs, heardSuccess, messageId, attempt } = received;
    const isUnwanted =
      answer?.status_code === 410 || answer?.response_headers?.['webhook-delivery'] === 'disable';
    if (isUnwanted && isTold(received) && isWell(heardAtMs!)) {
      broken.push('its endpoint wants nothing more, but it is not disabled');
    }
    const isProbe = history.attemptsOf(messageId).find((one) => one.attempt === attempt)?.probe === true;
    // Enabling a subscription or closing its circuit by hand restarts the count of days.
    const isBegunAnew = writes.some(
      ({ by, atMs }) => by === 'api' && atMs > (firstVainMs ?? 0) && atMs <= heardAtMs!,
    );
    // So does a success that a frozen worker tells late.
    const isToldLate = heard.some(
      (one) =>
        one.heardSuccess &&
        firstVainMs !== undefined &&
        one.heardAtMs! <= firstVainMs &&
        toldUntilMs(one) > firstVainMs,
    );
    if (heardSuccess || isBegunAnew || isToldLate) {
      firstVainMs = undefined;
      lastWellMs = heardSuccess ? heardAtMs! : lastWellMs;
    } else if (isProbe && (firstVainMs !== undefined || (isTold(received) && isOfVainRound(heardAtMs!)))) {
      firstVainMs ??= heardAtMs!;
      if (
        heardAtMs! - firstVainMs >= policy.disableAfterMs + TOLD_MS &&
        isTold(received) &&
        isWell(heardAtMs!)
      ) {
        broken.push('nothing but failures for days, but it is not disabled');
      }
    }
  }
  return broken.slice(0, 1);
}

/** Until when its worker may have told of an answer: later than it heard it, if it froze. */
function toldUntilMs({ heardAtMs, invocation }: Received): number {
  return invocation.hasMet(['freeze']) ? (invocation.endedAtMs ?? Number.POSITIVE_INFINITY) : heardAtMs!;
}
