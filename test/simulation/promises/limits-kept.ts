import { isFinal } from '../../../functions/core/outcome.ts';
import type { Received } from '../receivers.ts';
import type { World } from '../world.ts';
import { mendedFromMs } from '../world-plan.ts';
import { type Check, type Line, nameOf } from './line.ts';

/** What is hinted within a second may start a second later. */
const SPANS_SECONDS = [3, 10];
const BUNCHED_SECONDS = 1;
/** Sweep comes every minute, and finds a tick that was lost when it has been overdue for the policy's grace; indexes may lag. */
const SWEPT_MS = 2 * 60_000;
/** Where nothing goes wrong: the next tick is brought forward. */
const SOON_MS = 5_000;
/** A tick that is due anyway is not brought forward, and may not see in its index who has just joined. */
const NEAR_MS = 2_000;

/** A subscription with a limit gets so many attempts a second; each turn of a key is one attempt, and what waits for its turn says so. */
export const limitsKept: Check = (world, lines) =>
  world.subscriptions.flatMap(({ subscription_id, rate_limit }) => {
    if (rate_limit === undefined) {
      return [];
    }
    const log = world.receivers.log.filter(({ subscriptionId }) => subscriptionId === subscription_id);
    const own = lines.filter(({ subscription }) => subscription.subscription_id === subscription_id);
    return [
      ...manyInOneTurn(log),
      ...(isCalm(world) ? tooMany(log, rate_limit) : []),
      ...own.flatMap((line) => [...unlimited(line, world), ...forgotten(line, world)]),
    ].map((what) => `${subscription_id}: ${what}`);
  });

/** Only there nothing keeps a hint waiting, which bunches it with later ones. */
function isCalm({ plan }: World): boolean {
  return plan.faults.untilMs === 0 && plan.workers.deliver >= 50;
}

function manyInOneTurn(log: readonly Received[]): string[] {
  const turns = Map.groupBy(log, ({ invocation, key }) => `${invocation.name} ${key}`);
  return [...turns.values()].flatMap((requests) => {
    const [{ invocation, key }] = requests as [Received];
    const ofKey = invocation.records.filter(({ group }) => group === key);
    const isTurn = (body: string) => body.includes('"wish":"drain"') || body.includes('"wish":"probe"');
    const hints = ofKey.filter(({ body }) => isTurn(body)).length;
    // A message that comes while the next one is wanted as a probe needs no hint.
    const claims = ofKey.some(({ body }) => !body.includes('"wish"')) ? 1 : 0;
    return requests.length > hints + claims
      ? [`${invocation.name} made ${requests.length} attempts of ${key} in ${hints} turns`]
      : [];
  });
}

function tooMany(log: readonly Received[], limit: number): string[] {
  const starts = log.map(({ startedAtMs }) => startedAtMs).sort((one, other) => one - other);
  return SPANS_SECONDS.flatMap((seconds) => {
    const most = limit * (seconds + BUNCHED_SECONDS);
    const isOver = starts.some(
      (ms, index) => (starts[index + most] ?? Number.POSITIVE_INFINITY) < ms + 1_000 * seconds,
    );
    return isOver ? [`more than ${most} attempts within ${seconds} s`] : [];
  });
}

/** While its circuit is closed and it is active, what comes is first on record as waiting for its turn, or behind what waits. */
function unlimited(line: Line, { tables, plan }: World): string[] {
  if (!isAlwaysClosed(line, tables) || line.plan.secretlessUntilMs > 0 || plan.faults.untilMs > 0) {
    return [];
  }
  return line.messages.flatMap((message) => {
    const first = message.writes[0]?.record;
    const waits = first?.state_reason === 'rate_limited' || first?.state_reason === 'behind_earlier';
    return first === undefined || isFinal(first) === waits || (!waits && first.attempt_count > 0)
      ? [`${nameOf(message, line)} did not wait for its turn: ${first?.state}, ${first?.state_reason}`]
      : [];
  });
}

/** Whoever waits for his turn is looked at, once nothing of ours goes wrong any more: also when the worker that parked him could not say so. */
function forgotten(line: Line, { tables, plan, policy, startedAtMs, endedAtMs }: World): string[] {
  const ticks = tables.subscriptions.writes.filter(
    ({ subscriptionId, by }) => subscriptionId === line.subscription.subscription_id && by.startsWith('wake'),
  );
  const { idleMs, longestCoolDownMs } = policy.circuit;
  const isClosed = isAlwaysClosed(line, tables);
  // Behind another circuit nobody has a turn, and one that is paused is looked at as seldom as one that has failed for long.
  const foundMs = (isClosed ? idleMs : Math.max(idleMs, longestCoolDownMs)) + policy.graceMs + SWEPT_MS;
  const soonMs = plan.faults.untilMs === 0 && isClosed ? SOON_MS : foundMs;
  return line.messages.flatMap((message) =>
    message.writes
      .filter(({ atMs, record }) => {
        const untilMs = Math.max(atMs, startedAtMs + mendedFromMs(plan)) + soonMs;
        const isNear = (write: { readonly atMs: number }) => Math.abs(write.atMs - atMs) <= NEAR_MS;
        const isLater = (write: { readonly atMs: number }) => write.atMs > atMs && write.atMs <= untilMs;
        const isSeen = ticks.some(isLater) || ticks.some(isNear) || message.writes.some(isLater);
        return record?.state_reason === 'rate_limited' && untilMs < endedAtMs && !isSeen;
      })
      .slice(0, 1)
      .map(() => `${nameOf(message, line)} waits for its turn, and nobody looks`),
  );
}

function isAlwaysClosed(
  { subscription: { subscription_id } }: Line,
  { subscriptions }: World['tables'],
): boolean {
  return subscriptions.writes
    .filter(({ subscriptionId }) => subscriptionId === subscription_id)
    .every(({ after }) => after.circuit.state === 'closed');
}
