import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isCountDue } from '../../core/circuit/backlog-size.ts';
import type { CircuitInput } from '../../core/circuit/circuit.ts';
import {
  CANDIDATES,
  hintsOfTick,
  type InLine,
  lineView,
  lookAhead,
  withoutCutOff,
} from '../../core/circuit/circuit-timer.ts';
import { nextStanding, standingOf } from '../../core/circuit/endpoint-health.ts';
import { isAnyBehind, probesFrom } from '../../core/circuit/probing.ts';
import type { Timer } from '../../core/ordering/signal.ts';
import type { Standing, Subscription } from '../../core/subscription/subscription.ts';
import type { WakePorts } from './ports.ts';
import { hintKeys } from './signal-keys.ts';

type Tick = Extract<Timer, { kind: 'tick' }>;

/** So many keys parked in one millisecond take turns as probes. */
const MOST_CANDIDATES = 1_600;

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
  const taken = await takeTick(timer, endsAtMs, ports, policy);
  if (taken === undefined) {
    return ports.observer.stale(timer);
  }
  const { subscription, before, after, line, nowMs } = taken;
  await armNext(timer, before, after, ports, policy);
  const wanted = hintsOfTick(before, after, line, nowMs, policy.circuit);
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
      const wanted = hintsOfTick(before, after, seen, ports.now(), policy.circuit);
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
async function takeTick(
  timer: Tick,
  endsAtMs: number,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<Taken | undefined> {
  let waiting: number | undefined;
  let seen: SeenOfDrain | undefined;
  // Where calls stall, the next worker reads again.
  for (let reading = 1; reading <= MOST_READINGS && ports.now() < endsAtMs; reading++) {
    const subscription = await ports.subscription(timer);
    const circuit = subscription?.circuit;
    if (subscription === undefined || circuit?.tick_at === undefined || circuit.tick !== timer.tick) {
      return undefined;
    }
    const before = standingOf(subscription);
    let line: readonly InLine[];
    [line, waiting, seen] = await Promise.all([
      lineOf(before, subscription, ports, policy),
      waiting ?? countWaiting(timer, before, ports, policy),
      seen ?? seeDrain(timer, before, ports),
    ]);
    const nowMs = ports.now();
    const after = nextStanding(
      before,
      { kind: 'ticked', line: lineView(line, nowMs), timeoutMs: subscription.timeout_ms, waiting, ...seen },
      nowMs,
      policy,
    );
    if (await ports.replaceStanding(subscription, before, after)) {
      return { subscription, before, after, line, nowMs };
    }
  }
  throw new Error(
    `subscription ${timer.subscription_id}: changed, or could not be read in time, whenever its tick was to be written`,
  );
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

/** The first keys in line; for a probe those from the last one on, and from the beginning when nobody stands behind that. */
async function lineOf(
  standing: Standing,
  { subscription_id }: Subscription,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<readonly InLine[]> {
  const { circuit } = standing;
  if (circuit.state === 'draining' || circuit.state === 'closed') {
    return ports.line(subscription_id, lookAhead(standing, policy.circuit));
  }
  const isBehind = (line: readonly InLine[]) => isAnyBehind(circuit, lineView(line, ports.now()));
  const from = probesFrom(circuit);
  // The last probe has kept its place, and is among these.
  const behind = from === undefined ? [] : await candidates(subscription_id, from, isBehind, ports);
  return isBehind(behind) ? behind : candidates(subscription_id, undefined, (line) => line.length > 0, ports);
}

/** Keys in line with all that were parked in the same millisecond; of more than the most, some. */
async function candidates(
  subscriptionId: string,
  from: string | undefined,
  areEnough: (line: readonly InLine[]) => boolean,
  ports: WakePorts,
): Promise<readonly InLine[]> {
  for (let count = CANDIDATES; ; count *= 8) {
    const line = await ports.line(subscriptionId, count, from);
    const goesOn = line.length === count;
    const whole = withoutCutOff(line, goesOn);
    if (!goesOn || areEnough(whole)) {
      return whole;
    }
    if (count >= MOST_CANDIDATES) {
      return line;
    }
  }
}

type SeenOfDrain = Pick<Extract<CircuitInput, { kind: 'ticked' }>, 'drains' | 'answers' | 'slow'>;

/** What a drain has to know to set its window; nothing of it where nobody can say, as when there are more drains than one item can count. */
async function seeDrain(timer: Tick, { state, circuit }: Standing, ports: WakePorts): Promise<SeenOfDrain> {
  if (circuit.state !== 'draining' || state === 'deleted') {
    return {};
  }
  const ask = async <Value>(what: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await what();
    } catch (error) {
      ports.observer.fault(error, timer);
      return undefined;
    }
  };
  const [drains, answers, slow] = await Promise.all([
    ask(() => ports.drains()),
    ask(() => ports.answers(timer.subscription_id)),
    ask(() => ports.slowAttempts(timer.subscription_id)),
  ]);
  return { drains, answers, slow };
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
