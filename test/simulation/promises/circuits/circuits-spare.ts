import { isFinal } from '../../../../functions/core/message/outcome.ts';
import type { EndpointHealthWrite } from '../../aws/tables/subscription-table.ts';
import { lastOutage } from '../../people/healing.ts';
import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check, Line } from '../evidence/backlog.ts';
import { allowanceMs } from '../evidence/touches.ts';

/** Whole seconds of SQS, the index lag, and the way of a signal. */
const SLACK_MS = 6_000;

/**
 * An open circuit lets only probes pass, each once in a round. It has one chain of timers. Nobody writes to a
 * healthy subscription. A recovered endpoint is found within one probe interval.
 */
export const circuitsSpare: Check = (world, lines) =>
  world.subscriptions.flatMap(({ subscription_id, timeout_ms }, index) => {
    const writes = world.tables.subscriptions.writes.filter(
      ({ subscriptionId }) => subscriptionId === subscription_id,
    );
    const isTheirs = ({ subscriptionId }: Received) => subscriptionId === subscription_id;
    const log = world.receivers.log.filter(isTheirs);
    const pings = world.receivers.pings.filter(isTheirs);
    const own = lines.filter(({ subscription }) => subscription.subscription_id === subscription_id);
    return [
      ...needless({ log, pings, writes }, world, index),
      ...unspared(log, writes, world),
      ...doubleTimers(writes, world),
      ...lateComeback({ log, writes, own }, world, index, timeout_ms),
    ].map((what) => `${subscription_id}: ${what}`);
  });

/** Healthy deliveries write nothing. */
function needless(
  {
    log,
    pings,
    writes,
  }: {
    readonly log: readonly Received[];
    readonly pings: readonly Received[];
    readonly writes: readonly EndpointHealthWrite[];
  },
  { plan, policy, endedAtMs }: World,
  index: number,
): string[] {
  const { partnerActs, rateLimit, changes } = plan.subscriptions[index]!;
  const isItsPartner =
    plan.proof !== undefined || partnerActs.length > 0 || changes.some(({ kind }) => kind === 'limit');
  const isWell = log.every(
    ({ heardAtMs, heardSuccess, heard }) =>
      heardAtMs === undefined ||
      (heardSuccess && heard?.response_headers?.['webhook-delivery'] === undefined),
  );
  // A ping says nothing about its endpoint, but takes the room of an attempt while it is under way.
  // How long the endpoint took; a worker that froze, or was killed, had the attempt under way for longer.
  const isQuick = [...log, ...pings].every(({ begunAtMs, heardAtMs, invocation, reaction }) => {
    const underWayMs = (heardAtMs ?? invocation.endedAtMs ?? endedAtMs) - begunAtMs;
    return (invocation.met.length > 0 ? underWayMs : reaction.afterMs) <= policy.circuit.slowMs;
  });
  return isWell && isQuick && !isItsPartner && rateLimit === undefined && writes.length > 0
    ? [`was always healthy, but ${writes[0]?.by} wrote its endpoint health`]
    : [];
}

/**
 * A worker that read a circuit that lets nothing pass, and has not changed since, sends only as its probe.
 */
function unspared(
  log: readonly Received[],
  writes: readonly EndpointHealthWrite[],
  { history }: World,
): string[] {
  const broken: string[] = [];
  const probes = new Map<string, number>();
  for (const request of log) {
    const { startedAtMs, invocation, key, messageId } = request;
    const before = writes.findLast(({ atMs }) => atMs <= invocation.startedAtMs);
    const during = writes.filter(({ atMs }) => atMs > invocation.startedAtMs && atMs <= startedAtMs);
    const seen = [...(before === undefined ? [] : [before]), ...during].map(({ after }) => after);
    if (before === undefined) {
      continue;
    }
    if (seen.every(({ state }) => state !== 'active')) {
      broken.push(`${invocation.name} sent ${messageId} of ${key} though it was ${before.after.state}`);
    }
    if (seen.every(({ circuit: { state } }) => state === 'draining') && !isSignalled(request)) {
      broken.push(`${invocation.name} sent ${messageId} of ${key} before its turn in the drain`);
    }
    if (!seen.every(({ circuit: { state } }) => state === 'open' || state === 'half_open')) {
      continue;
    }
    const lease = seen.findLast(
      ({ circuit }) => circuit.state === 'half_open' && circuit.probes.includes(key),
    )?.circuit;
    if (lease === undefined) {
      broken.push(`${invocation.name} sent ${messageId} of ${key} behind an open circuit`);
      continue;
    }
    const attempt = history.attemptsOf(messageId).find((one) => one.attempt === request.attempt);
    if (attempt !== undefined && Date.parse(attempt.started_at) === request.workersTimeMs && !attempt.probe) {
      broken.push(`the probe of ${invocation.name} is not on record as one`);
    }
    // It may have thawed after its lease had ended, and another had begun.
    if (invocation.hasMet(['freeze'])) {
      continue;
    }
    const probe = `${lease.generation} ${key}`;
    const count = (probes.get(probe) ?? 0) + 1;
    probes.set(probe, count);
    // If the end of the first probe could not be written, a signal of an earlier lease in the same batch
    // finds this lease running.
    const isTold = !invocation.met.some(({ port }) => port === 'changeEndpointHealth');
    if (count > 1 && isTold && invocation.records.every(({ receiveCount }) => receiveCount === 1)) {
      broken.push(`${invocation.name} sent a second probe under one lease`);
    }
  }
  return broken;
}

/** Whether its worker had a signal that the ordering key's turn had come. */
function isSignalled({ invocation: { records }, key }: Received): boolean {
  return records.some(
    ({ group, body }) =>
      group === key && (body.includes('"signal_kind":"drain"') || body.includes('"signal_kind":"probe"')),
  );
}

/** Each circuit timer acts once, and the next one not before its time. */
function doubleTimers(
  writes: readonly EndpointHealthWrite[],
  { policy, plan, invocations }: World,
): string[] {
  const circuitTimers = writes.filter(({ by }) => by.startsWith('wake'));
  return circuitTimers.flatMap(({ atMs, before }, index) => {
    const earlier = circuitTimers[index - 1];
    const { state, generation } = earlier?.after.circuit ?? {};
    // With a slow clock, a timer may go off before an open circuit has cooled down: then it is set again.
    if (
      earlier === undefined ||
      before.circuit.generation !== generation ||
      state === 'open' ||
      state === 'half_open'
    ) {
      return [];
    }
    // A worker that freezes between reading the clock and writing sets a time that has passed.
    const stoodStill = invocations.some(
      (invocation) => invocation.name === earlier.by && invocation.hasMet(['freeze', 'stall']),
    );
    if (stoodStill) {
      return [];
    }
    const leastMs = policy.circuit.timerMs - plan.clocksDifferMs - 150;
    return atMs - earlier.atMs < leastMs ? [`had two circuit timers within ${atMs - earlier.atMs} ms`] : [];
  });
}

/**
 * From the end of an outage to the first delivery: one probe interval, plus the delay that failures can
 * cause.
 */
function lateComeback(
  {
    log,
    writes,
    own,
  }: {
    readonly log: readonly Received[];
    readonly writes: readonly EndpointHealthWrite[];
    readonly own: readonly Line[];
  },
  world: World,
  index: number,
  timeoutMs: number,
): string[] {
  const { plan, policy, startedAtMs } = world;
  const { receiver, partnerActs, changes, secretlessUntilMs } = plan.subscriptions[index]!;
  const outage = lastOutage(receiver);
  // Its partner interferes, or nothing can be sent.
  if (outage === undefined || partnerActs.length + changes.length > 0) {
    return [];
  }
  const backAtMs = startedAtMs + Math.max(outage.untilMs, secretlessUntilMs);
  const health = writes.findLast(({ atMs }) => atMs <= backAtMs)?.after;
  const first = log.find((one) => one.startedAtMs >= backAtMs);
  if (health?.state !== 'active' || first === undefined) {
    return [];
  }
  const { circuit } = health;
  if (circuit.state !== 'open' && (circuit.state !== 'half_open' || circuit.probes.length === 0)) {
    return [];
  }
  const { longestCoolDownMs, probeTransitMs } = policy.circuit;
  const leaseMs = probeTransitMs + timeoutMs;
  const vainMs = leaseMs * vainLeases(own, writes, leaseMs, { backAtMs, untilMs: first.startedAtMs });
  const intervalMs = Math.min(2 * circuit.cool_down_ms, longestCoolDownMs) + timeoutMs + vainMs + SLACK_MS;
  const lateMs = first.startedAtMs - backAtMs;
  const names = [own[0]?.subscription.subscription_id ?? '', ...own.map(({ key }) => key)];
  const excusedMs = allowanceMs(world, names, backAtMs, first.startedAtMs) + plan.lagMs;
  const isLate = lateMs > intervalMs + excusedMs;
  // Where the last message ended sooner, of age or as expired, there was nothing to find it with.
  return isLate && own.some((line) => isWaitingAt(line, backAtMs + intervalMs + excusedMs))
    ? [`had recovered for ${lateMs} ms before anything was sent`]
    : [];
}

function isWaitingAt({ messages }: Line, at: number): boolean {
  return messages.some(({ writes }) => {
    const last = writes.findLast(({ atMs }) => atMs <= at)?.record;
    return last !== undefined && !isFinal(last);
  });
}

/** A probe whose messages have expired sends nothing; its lease must end before the next probe. */
function vainLeases(
  own: readonly Line[],
  writes: readonly EndpointHealthWrite[],
  leaseMs: number,
  { backAtMs, untilMs }: { readonly backAtMs: number; readonly untilMs: number },
): number {
  return writes.filter(({ atMs, after: { circuit } }) => {
    if (
      circuit.state !== 'half_open' ||
      circuit.probes.length === 0 ||
      atMs <= backAtMs - leaseMs ||
      atMs > untilMs
    ) {
      return false;
    }
    return own
      .filter(({ key }) => circuit.probes.includes(key))
      .flatMap(({ messages }) => messages.flatMap((message) => message.writes))
      .some((one) => one.record?.state_reason === 'expired' && one.atMs > atMs && one.atMs <= atMs + leaseMs);
  }).length;
}
