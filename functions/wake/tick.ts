import { isCountDue } from '../core/backlog.ts';
import type { DeliveryPolicy } from '../core/delivery-policy.ts';
import type { Timer } from '../core/hint.ts';
import { nextStanding, type Standing, standingOf } from '../core/standing.ts';
import type { Subscription } from '../core/subscription.ts';
import { hintsOfTick, type InLine, isCrowded, lookAhead } from '../core/tick.ts';
import { hintKeys } from './hint-keys.ts';
import type { WakePorts } from './ports.ts';

type Tick = Extract<Timer, { kind: 'tick' }>;

/** A failure that `deliver` counts at this moment refuses the tick, and is no reason to stop ticking: it is tried on what stands there now. */
const MOST_READINGS = 4;

/**
 * One tick of a circuit: looks at the line, writes what the circuit becomes, arms the next tick, and hints the keys whose turn it is. Once the circuit is
 * written the timer is spent, so what goes wrong after that is left to the next tick and to sweep.
 *
 * @throws when it could not be written
 */
export async function carryOutTick(
  timer: Tick,
  /** `mayLinger`: whether nobody waits for this worker. */
  { endsAtMs, mayLinger }: { readonly endsAtMs: number; readonly mayLinger: boolean },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<void> {
  const taken = await takeTick(timer, ports, policy);
  if (taken === undefined) {
    return ports.observer.stale(timer);
  }
  const { subscription, before, after, line, nowMs } = taken;
  await armNext(timer, before, after, ports, policy);
  const wanted = hintsOfTick(before, after, line, nowMs, policy);
  let hinted = await hintKeys(wanted, probeOf(after), { timer, endsAtMs }, ports, policy);
  const isDraining = before.circuit.state === 'draining' && after.circuit.state === 'draining';
  if (mayLinger && isDraining && before.rate_limit === undefined) {
    hinted += await lookAgain(taken, { timer, endsAtMs }, ports, policy);
  }
  ports.observer.ticked(subscription, before, after, hinted);
}

/**
 * Until the next tick, hints those who move up as others are done, as long as more wait than may be under way: a receiver that answers quickly
 * gets more than one window a second.
 */
async function lookAgain(
  { subscription, before, after, line, nowMs }: Taken,
  { timer, endsAtMs }: { readonly timer: Tick; readonly endsAtMs: number },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number> {
  const { tickMs, lookAgainMs } = policy.circuit;
  const most = lookAhead(before, policy.circuit);
  let seen = line;
  let hinted = 0;
  try {
    while (seen.length === most && ports.now() + lookAgainMs < Math.min(nowMs + tickMs, endsAtMs)) {
      await ports.after(lookAgainMs);
      seen = await ports.line(subscription.subscription_id, most);
      const wanted = hintsOfTick(before, after, seen, ports.now(), policy);
      hinted += await hintKeys(wanted, undefined, { timer, endsAtMs }, ports, policy);
    }
  } catch (error) {
    ports.observer.fault(error, timer);
  }
  return hinted;
}

interface Taken {
  readonly subscription: Subscription;
  readonly before: Standing;
  readonly after: Standing;
  readonly line: readonly InLine[];
  readonly nowMs: number;
}

/** Moves the circuit on; undefined when it has moved on without this timer. */
async function takeTick(timer: Tick, ports: WakePorts, policy: DeliveryPolicy): Promise<Taken | undefined> {
  let waiting: number | undefined;
  let drains: number | undefined;
  for (let reading = 1; reading <= MOST_READINGS; reading++) {
    const subscription = await ports.subscription(timer);
    const circuit = subscription?.circuit;
    if (subscription === undefined || circuit?.tick_at === undefined || circuit.tick !== timer.tick) {
      return undefined;
    }
    const before = standingOf(subscription);
    let line: readonly InLine[];
    [line, waiting, drains] = await Promise.all([
      ports.line(subscription.subscription_id, lookAhead(before, policy.circuit)),
      waiting ?? countWaiting(timer, before, ports, policy),
      drains ?? countDrains(timer, before, ports),
    ]);
    const nowMs = ports.now();
    const keys = line.map((key) => ({ key: key.ordering_key, parkedAtMs: Date.parse(key.parked_at) }));
    const after = nextStanding(
      before,
      {
        kind: 'ticked',
        line: { keys, isCrowded: isCrowded(line, nowMs, policy) },
        timeoutMs: subscription.timeout_ms,
        isLimited: before.rate_limit !== undefined,
        waiting,
        drains,
      },
      nowMs,
      policy,
    );
    if (await ports.replaceStanding(subscription, before, after)) {
      return { subscription, before, after, line, nowMs };
    }
  }
  throw new Error(`subscription ${timer.subscription_id}: changed each time that its tick was to be written`);
}

/** How many messages wait, when it is time to know; what goes wrong with that is no matter of the tick. */
async function countWaiting(
  timer: Tick,
  standing: Standing,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number | undefined> {
  if (!isCountDue(standing, { nowMs: ports.now(), policy: policy.circuit })) {
    return undefined;
  }
  try {
    return await ports.waiting(timer.subscription_id, policy.circuit.manyWaiting);
  } catch (error) {
    ports.observer.fault(error, timer);
    return undefined;
  }
}

/** Undefined when nobody can say, as when there are more of them than one item can count. */
async function countDrains(
  timer: Tick,
  { circuit }: Standing,
  ports: WakePorts,
): Promise<number | undefined> {
  if (circuit.state !== 'draining') {
    return undefined;
  }
  try {
    return await ports.drains();
  } catch (error) {
    ports.observer.fault(error, timer);
    return undefined;
  }
}

/** What is farther away than SQS delays anything is left to sweep, and so is a timer that could not be sent. */
async function armNext(
  timer: Tick,
  { circuit: before }: Standing,
  { circuit: after }: Standing,
  ports: WakePorts,
  { longestTimerMs }: DeliveryPolicy,
): Promise<void> {
  if (after.tick === before.tick || after.tick_at === undefined) {
    return;
  }
  const dueAtMs = Date.parse(after.tick_at);
  if (dueAtMs - ports.now() > longestTimerMs) {
    return;
  }
  try {
    await ports.arm([{ timer: { ...timer, tick: after.tick }, dueAtMs }]);
  } catch (error) {
    ports.observer.fault(error, timer);
  }
}

function probeOf({ circuit }: Standing): string | undefined {
  return circuit.state === 'half_open' ? circuit.probe_key : undefined;
}
