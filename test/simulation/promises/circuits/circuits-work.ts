import type { EndpointHealthWrite } from '../../aws/tables/subscription-table.ts';
import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { isAlwaysClosedBetween, writesOf } from './circuits-of.ts';

/** So soon after an answer its circuit has been told. */
const TOLD_MS = 1_000;
/** And so soon at the latest, where nothing is in the way. */
const TOLD_AT_ONCE_MS = 300;
/** A batch tells of its answers as it goes on; what is counted is read with the tick after that. */
const COUNTED_MS = 3_000;
/** A success passes over so few failures in a row without a write: they count for the next ones. */
const PASSED_OVER = 4;

/**
 * A circuit opens when as many payments have failed in a row as it takes, none of which had failed before, and not sooner; a receiver that wants nothing more gets nothing more, and so does
 * one that has failed for days. Only what a fault has struck counts for nothing: an answer whose worker met one may be told late, or not at all.
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

/** Whether its message had not failed before, as far as the schedule counts, and was not asked for once more: that is late, and no news. */
function isNews({ messageId, begunAtMs }: Received, { history }: World): boolean {
  const before = history
    .writesOf(messageId)
    .findLast(({ atMs, record }) => record !== undefined && atMs < begunAtMs)?.record;
  return before === undefined || (before.attempt_count === 0 && before.late !== true);
}

function unopened(heard: readonly Received[], subscriptionId: string, world: World): string[] {
  const { failedKeys } = world.policy.circuit;
  let row: Received[] = [];
  for (const received of heard) {
    if (received.heardSuccess) {
      row = [];
    } else if (isTold(received) && isNews(received, world)) {
      row.push(received);
    }
    const [first] = row;
    const keys = new Set(row.map(({ key }) => key));
    if (first === undefined || keys.size < failedKeys) {
      continue;
    }
    const untilMs = received.heardAtMs! + TOLD_MS;
    const isAnswered = heard.some(
      (one) => one.heardSuccess && one.heardAtMs! > first.heardAtMs! - TOLD_MS && one.heardAtMs! <= untilMs,
    );
    if (
      !isAnswered &&
      isAlwaysClosedBetween({ subscription_id: subscriptionId }, first.invocation.startedAtMs, untilMs, world)
    ) {
      return [`${keys.size} payments failed in a row, and its circuit stays closed`];
    }
  }
  return [];
}

function openedInVain(
  heard: readonly Received[],
  writes: readonly EndpointHealthWrite[],
  world: World,
): string[] {
  const { failedKeys, firstWindow } = world.policy.circuit;
  const vain = writes.some(({ atMs, by, before, after }) => {
    const from = before.circuit.state;
    const isOpened = after.circuit.state === 'open' && after.state === 'active' && by !== 'api';
    if (!isOpened || (from !== 'closed' && from !== 'draining')) {
      return false;
    }
    const slackMs = from === 'closed' ? TOLD_AT_ONCE_MS : COUNTED_MS;
    // A success that was heard just now, or whose worker met a fault, may not have been told.
    const lastMs =
      heard.findLast((one) => one.heardSuccess && isTold(one) && one.heardAtMs! <= atMs - slackMs)
        ?.heardAtMs ?? 0;
    const failed = heard.filter(
      (one) => !one.heardSuccess && one.heardAtMs! > lastMs - slackMs && one.heardAtMs! <= atMs,
    );
    return from === 'closed'
      ? new Set(failed.map(({ key }) => key)).size <
          Math.max(1, failedKeys - Math.min(PASSED_OVER, failedKeys - 2))
      : failed.length < Math.min(failedKeys, firstWindow);
  });
  return vain ? [`its circuit opened before ${failedKeys} payments had failed in a row`] : [];
}

function undisabled(
  heard: readonly Received[],
  writes: readonly EndpointHealthWrite[],
  world: World,
): string[] {
  const broken: string[] = [];
  const { policy, history } = world;
  const standsAt = (ms: number) => writes.findLast(({ atMs }) => atMs <= ms)?.after.state ?? 'active';
  // An owner may have been faster.
  const isWell = (ms: number) =>
    standsAt(ms + TOLD_MS) === 'active' &&
    !writes.some(({ by, atMs }) => by === 'api' && Math.abs(atMs - ms) <= 2 * TOLD_MS);
  let firstVainMs: number | undefined;
  for (const received of heard) {
    const { heard: answer, heardAtMs, heardSuccess, messageId, attempt } = received;
    const isUnwanted =
      answer?.status_code === 410 || answer?.response_headers?.['webhook-delivery'] === 'disable';
    if (isUnwanted && isTold(received) && isWell(heardAtMs!)) {
      broken.push('its receiver wants nothing more, and it is not disabled');
    }
    const isProbe = history.attemptsOf(messageId).find((one) => one.attempt === attempt)?.probe === true;
    // Whoever sets a subscription or its circuit right has the days counted anew.
    const isBegunAnew = writes.some(
      ({ by, atMs }) => by === 'api' && atMs > (firstVainMs ?? 0) && atMs <= heardAtMs!,
    );
    if (heardSuccess || isBegunAnew) {
      firstVainMs = undefined;
    } else if (isProbe && (firstVainMs !== undefined || isTold(received))) {
      firstVainMs ??= heardAtMs!;
      if (
        heardAtMs! - firstVainMs >= policy.disableAfterMs + TOLD_MS &&
        isTold(received) &&
        isWell(heardAtMs!)
      ) {
        broken.push('nothing but failures for so long, and it is not disabled');
      }
    }
  }
  return broken.slice(0, 1);
}
