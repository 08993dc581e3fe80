import type { Received } from '../receivers.ts';
import type { StandingWrite } from '../subscription-table.ts';
import type { World } from '../world.ts';
import type { Check } from './line.ts';

/** So soon after an answer its circuit has been told. */
const TOLD_MS = 1_000;
/** And so soon at the latest, where nothing is in the way. */
const TOLD_AT_ONCE_MS = 300;

/**
 * In worlds where nothing of ours fails: a circuit opens when as many payments have failed since the last quick success as it takes, and not
 * before; as many slow ones start a drain, and those that hang do so while they hang; a receiver that wants nothing more gets nothing more, and so does one that has failed for days.
 */
export const circuitsWork: Check = (world) => {
  const { plan } = world;
  if (plan.faults.untilMs > 0) {
    return [];
  }
  return world.subscriptions.flatMap(({ subscription_id }, index) => {
    const { owner, secretlessUntilMs } = plan.subscriptions[index]!;
    if (owner.length > 0 || secretlessUntilMs > 0) {
      return [];
    }
    const writes = world.tables.subscriptions.writes.filter(
      ({ subscriptionId }) => subscriptionId === subscription_id,
    );
    const heard = world.receivers.log
      .filter(({ subscriptionId }) => subscriptionId === subscription_id)
      .sort((one, other) => one.heardAtMs! - other.heardAtMs!);
    return [
      ...openings(heard, writes, world),
      ...slowness(heard, writes, world),
      ...hanging(heard, writes, world),
      ...disabling(heard, writes, world),
    ].map((what) => `${subscription_id}: ${what}`);
  });
};

/** Walks through what was heard: keys since the last quick success, at each answer. */
function streaks(heard: readonly Received[], { policy }: World, counts: (received: Received) => boolean) {
  const { slowMs } = policy.circuit;
  let keys = new Set<string>();
  let lastSuccessMs = Number.NEGATIVE_INFINITY;
  return heard.map((received) => {
    const tookMs = received.heardAtMs! - received.startedAtMs;
    if (received.heardSuccess && tookMs <= slowMs) {
      keys = new Set();
      lastSuccessMs = received.heardAtMs!;
    } else if (counts(received)) {
      keys = new Set(keys).add(received.key);
    }
    return { atMs: received.heardAtMs!, keys, lastSuccessMs };
  });
}

function openings(heard: readonly Received[], writes: readonly StandingWrite[], world: World): string[] {
  const { failedKeys } = world.policy.circuit;
  const steps = streaks(heard, world, ({ heardSuccess }) => !heardSuccess);
  const unopened = steps.filter(
    ({ atMs, keys, lastSuccessMs }) =>
      keys.size >= failedKeys &&
      atMs - lastSuccessMs > TOLD_MS &&
      !heard.some((one) => one.heardSuccess && Math.abs(one.heardAtMs! - atMs) <= TOLD_MS) &&
      ['closed', 'draining'].includes(stateAt(atMs + TOLD_MS, writes)) &&
      // It has not been open and drained since.
      !writes.some((one) => one.atMs > lastSuccessMs && one.after.circuit.state === 'open'),
  );
  const vain = writes.filter(({ atMs, before, after }) => {
    const wasLetting = before.circuit.state === 'closed' || before.circuit.state === 'draining';
    const lastSuccessMs = steps.findLast((one) => one.atMs <= atMs)?.lastSuccessMs ?? 0;
    // A failure may be told after a success that was heard after it.
    const failed = heard.filter(
      (one) =>
        !one.heardSuccess && one.heardAtMs! > lastSuccessMs - TOLD_AT_ONCE_MS && one.heardAtMs! <= atMs,
    );
    return (
      wasLetting &&
      after.circuit.state === 'open' &&
      after.state === 'active' &&
      new Set(failed.map(({ key }) => key)).size < failedKeys &&
      atMs - lastSuccessMs > TOLD_AT_ONCE_MS
    );
  });
  return [
    ...unopened.slice(0, 1).map(({ keys }) => `${keys.size} payments failed, and its circuit stays closed`),
    ...vain.slice(0, 1).map(() => `its circuit opened before ${failedKeys} payments had failed`),
  ];
}

function slowness(heard: readonly Received[], writes: readonly StandingWrite[], world: World): string[] {
  const { slowKeys, slowMs } = world.policy.circuit;
  if (heard.some(({ heardSuccess }) => !heardSuccess)) {
    return [];
  }
  const slow = streaks(heard, world, (one) => one.heardAtMs! - one.startedAtMs > slowMs).find(
    ({ keys }) => keys.size >= slowKeys,
  );
  return slow !== undefined && !writes.some(({ after }) => after.circuit.state === 'draining')
    ? [`${slowKeys} payments were slow, and nothing came of it`]
    : [];
}

/** Whether as many payments hung as start a drain, all at one instant, and none had been started by then. */
function hanging(heard: readonly Received[], writes: readonly StandingWrite[], world: World): string[] {
  const { slowKeys, slowMs } = world.policy.circuit;
  const knownAfterMs = slowMs + TOLD_MS;
  const long = heard.filter(
    (one) => one.heardAtMs! - one.startedAtMs > knownAfterMs && !isOnOldReading(one, writes),
  );
  const quick = heard.filter((one) => one.heardSuccess && one.heardAtMs! - one.startedAtMs <= slowMs);
  const untold = long.some((last) => {
    const atMs = last.startedAtMs + knownAfterMs;
    const hung = long.filter((one) => one.startedAtMs <= last.startedAtMs && one.heardAtMs! > atMs);
    const fromMs = Math.min(...hung.map(({ startedAtMs }) => startedAtMs));
    return (
      new Set(hung.map(({ key }) => key)).size >= slowKeys &&
      !quick.some(({ heardAtMs }) => heardAtMs! >= fromMs && heardAtMs! <= atMs) &&
      stateAt(fromMs, writes) === 'closed' &&
      !writes.some((one) => one.atMs > fromMs && one.atMs <= atMs && one.after.circuit.state !== 'closed')
    );
  });
  return untold ? [`${slowKeys} payments hung at a time, and nothing came of it while they did`] : [];
}

/** A worker that took its batch before the slow keys were forgotten takes those it has read for counted, and tells nobody. */
function isOnOldReading({ invocation, startedAtMs }: Received, writes: readonly StandingWrite[]): boolean {
  return writes.some(
    ({ atMs, before, after }) =>
      atMs > invocation.startedAtMs &&
      atMs <= startedAtMs &&
      after.circuit.slow_keys.length < before.circuit.slow_keys.length,
  );
}

function disabling(
  heard: readonly Received[],
  writes: readonly StandingWrite[],
  { policy, history }: World,
): string[] {
  const broken: string[] = [];
  const isDisabledAt = (ms: number) => writes.findLast(({ atMs }) => atMs <= ms)?.after.state === 'disabled';
  for (const { heard: answer, heardAtMs } of heard) {
    const isUnwanted =
      answer?.status_code === 410 || answer?.response_headers?.['webhook-delivery'] === 'disable';
    if (isUnwanted && !isDisabledAt(heardAtMs! + TOLD_MS)) {
      broken.push('its receiver wants nothing more, and it is not disabled');
    }
  }
  let firstVainMs: number | undefined;
  for (const { heardSuccess, heardAtMs, messageId, attempt } of heard) {
    const isProbe = history.attemptsOf(messageId).find((one) => one.attempt === attempt)?.probe === true;
    if (heardSuccess) {
      firstVainMs = undefined;
    } else if (isProbe) {
      firstVainMs ??= heardAtMs!;
      if (
        heardAtMs! - firstVainMs >= policy.disableAfterMs + TOLD_MS &&
        !isDisabledAt(heardAtMs! + TOLD_MS)
      ) {
        broken.push('nothing but failures for so long, and it is not disabled');
      }
    }
  }
  return broken.slice(0, 1);
}

function stateAt(ms: number, writes: readonly StandingWrite[]): string {
  return writes.findLast(({ atMs }) => atMs <= ms)?.after.circuit.state ?? 'closed';
}
