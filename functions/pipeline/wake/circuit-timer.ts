import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isCountDue } from '../../core/circuit/backlog-size.ts';
import type { CircuitInput } from '../../core/circuit/circuit.ts';
import {
  backlogView,
  CANDIDATES,
  type InBacklog,
  lookAhead,
  signalsOfTimer,
  withoutCutOff,
} from '../../core/circuit/circuit-timer.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../core/circuit/endpoint-health.ts';
import { isAnyBehind, probesFrom } from '../../core/circuit/probing.ts';
import type { Timer } from '../../core/ordering/timer.ts';
import { timerOfCircuit } from '../../core/ordering/timers.ts';
import type { EndpointHealth, Subscription } from '../../core/subscription/subscription.ts';
import type { WakePorts } from './ports.ts';
import { signalKeys } from './signal-keys.ts';

type CircuitTimer = Extract<Timer, { kind: 'tick' }>;

/** At most so many ordering keys that joined in one millisecond take turns as probes. */
const MAX_CANDIDATES = 1_600;

/**
 * A failure that `deliver` counts at the same moment refuses the write: the timer is applied to what is
 * stored then.
 */
const MAX_READINGS = 4;

/**
 * Carries out a circuit timer: reads the backlog, writes what the circuit becomes, arms the next timer, and
 * signals the ordering keys whose turn it is. Once the circuit is written the timer is spent: what fails
 * after that is left to the next timer and to sweep.
 *
 * @throws when it could not be written
 */
export async function carryOutTimer(
  timer: CircuitTimer,
  /** `mayLinger`: no other record waits for this worker. */
  { endsAtMs, mayLinger }: { readonly endsAtMs: number; readonly mayLinger: boolean },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<void> {
  const taken = await takeTimer(timer, endsAtMs, ports, policy);
  if (taken === undefined) {
    return ports.observer.stale(timer);
  }
  const { subscription, before, after, backlog, nowMs } = taken;
  await armNext(timer, before, after, ports, policy);
  const wanted = signalsOfTimer(before, after, backlog, nowMs, policy.circuit);
  let signalled = await signalKeys(wanted, probeOf(after), { timer, endsAtMs }, ports, policy);
  const isDraining = before.circuit.state === 'draining' && after.circuit.state === 'draining';
  if (mayLinger && isDraining && before.rate_limit === undefined) {
    signalled += await pollBacklog(taken, { timer, endsAtMs }, ports, policy);
  }
  ports.observer.timerFired(subscription, before, after, signalled);
}

/**
 * Until the next timer, signals ordering keys that move up as others are done, while more wait than may be
 * under way: an endpoint that answers quickly gets more than one window a second.
 */
async function pollBacklog(
  { subscription, before, after, backlog, nowMs }: Taken,
  { timer, endsAtMs }: { readonly timer: CircuitTimer; readonly endsAtMs: number },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number> {
  const { tickMs, lookAgainMs } = policy.circuit;
  const max = lookAhead(before, policy.circuit);
  let seen = backlog;
  let signalled = 0;
  try {
    while (seen.length === max && ports.now() + lookAgainMs < Math.min(nowMs + tickMs, endsAtMs)) {
      await ports.after(lookAgainMs);
      seen = await ports.backlog(subscription.subscription_id, max);
      const wanted = signalsOfTimer(before, after, seen, ports.now(), policy.circuit);
      signalled += await signalKeys(wanted, undefined, { timer, endsAtMs }, ports, policy);
    }
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
  return signalled;
}

interface Taken {
  readonly subscription: Subscription;
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
  readonly backlog: readonly InBacklog[];
  readonly nowMs: number;
}

/** Moves the circuit on; undefined when the timer is of an earlier generation. */
async function takeTimer(
  timer: CircuitTimer,
  endsAtMs: number,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<Taken | undefined> {
  let waiting: number | undefined;
  let seen: SeenOfDrain | undefined;
  // If calls stall until then, the next worker reads again.
  for (let reading = 1; reading <= MAX_READINGS && ports.now() < endsAtMs; reading++) {
    const subscription = await ports.subscription(timer);
    const circuit = subscription?.circuit;
    if (subscription === undefined || circuit?.tick_at === undefined || circuit.tick !== timer.tick) {
      return undefined;
    }
    const before = endpointHealthOf(subscription);
    let backlog: readonly InBacklog[];
    [backlog, waiting, seen] = await Promise.all([
      backlogOf(before, subscription, ports, policy),
      waiting ?? countWaiting(timer, before, ports, policy),
      seen ?? seeDrain(timer, before, ports),
    ]);
    const nowMs = ports.now();
    const after = nextEndpointHealth(
      before,
      {
        kind: 'timer_fired',
        backlog: backlogView(backlog, nowMs),
        timeoutMs: subscription.timeout_ms,
        waiting,
        ...seen,
      },
      nowMs,
      policy,
    );
    if (await ports.replaceEndpointHealth(subscription, before, after)) {
      return { subscription, before, after, backlog, nowMs };
    }
  }
  throw new Error(
    `subscription ${timer.subscription_id}: another writer was faster each time, or there was no time left`,
  );
}

/** How many messages wait, if it is time to count them. A failure does not stop the timer. */
async function countWaiting(
  timer: CircuitTimer,
  health: EndpointHealth,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number | undefined> {
  if (!isCountDue(health, { nowMs: ports.now(), policy: policy.circuit })) {
    return undefined;
  }
  try {
    return await ports.waiting(timer.subscription_id, policy.circuit.manyWaiting);
  } catch (error) {
    ports.observer.internalError(error, timer);
    return undefined;
  }
}

/**
 * The first ordering keys of the backlog; for a probe those behind the last one, or the first if there are
 * none.
 */
async function backlogOf(
  health: EndpointHealth,
  { subscription_id }: Subscription,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<readonly InBacklog[]> {
  const { circuit } = health;
  if (circuit.state === 'draining' || circuit.state === 'closed') {
    return ports.backlog(subscription_id, lookAhead(health, policy.circuit));
  }
  const isBehind = (backlog: readonly InBacklog[]) => isAnyBehind(circuit, backlogView(backlog, ports.now()));
  const from = probesFrom(circuit);
  // The last probe has kept its position, and is among these.
  const behind = from === undefined ? [] : await candidates(subscription_id, from, isBehind, ports);
  return isBehind(behind)
    ? behind
    : candidates(subscription_id, undefined, (backlog) => backlog.length > 0, ports);
}

/**
 * The first ordering keys, with all that joined in the same millisecond; of more than `MAX_CANDIDATES`, some.
 */
async function candidates(
  subscriptionId: string,
  from: string | undefined,
  areEnough: (backlog: readonly InBacklog[]) => boolean,
  ports: WakePorts,
): Promise<readonly InBacklog[]> {
  for (let count = CANDIDATES; ; count *= 8) {
    const backlog = await ports.backlog(subscriptionId, count, from);
    const goesOn = backlog.length === count;
    const whole = withoutCutOff(backlog, goesOn);
    if (!goesOn || areEnough(whole)) {
      return whole;
    }
    if (count >= MAX_CANDIDATES) {
      return backlog;
    }
  }
}

type SeenOfDrain = Pick<Extract<CircuitInput, { kind: 'timer_fired' }>, 'drains' | 'answers' | 'slow'>;

/** What a drain needs to set its window; what cannot be read now is left out. */
async function seeDrain(
  timer: CircuitTimer,
  { state, circuit }: EndpointHealth,
  ports: WakePorts,
): Promise<SeenOfDrain> {
  if (circuit.state !== 'draining' || state === 'deleted') {
    return {};
  }
  const ask = async <Value>(what: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await what();
    } catch (error) {
      ports.observer.internalError(error, timer);
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

/** A timer that could not be sent is left to sweep, and so is one that is due too late for SQS. */
async function armNext(
  timer: CircuitTimer,
  before: EndpointHealth,
  after: EndpointHealth,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<void> {
  try {
    const armings = timerOfCircuit(timer, before.circuit, after.circuit, ports.now(), policy);
    if (armings.length > 0) {
      await ports.arm(armings);
    }
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
}

function probeOf({ circuit }: EndpointHealth): string | undefined {
  return circuit.state === 'half_open' ? circuit.probe_key : undefined;
}
