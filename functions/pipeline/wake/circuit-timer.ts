import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isCountDue } from '../../core/circuit/backlog-size.ts';
import type { CircuitInput } from '../../core/circuit/circuit.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import {
  backlogView,
  type InBacklog,
  lookAhead,
  perTimer,
  type SeenOfBacklog,
  signalsOfTimer,
  type WantedSignal,
} from '../../core/ordering/circuit-timer.ts';
import { timerOfCircuit } from '../../core/ordering/timers.ts';
import type { Timer } from '../../core/signal/timer.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';
import type { WakePorts } from './ports.ts';
import { seeBacklog } from './see-backlog.ts';
import { signalKeys } from './signal-keys.ts';

type CircuitTimer = Extract<Timer, { kind: 'circuit' }>;

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
  const circuitMove = await moveCircuit(timer, endsAtMs, ports, policy);
  if (circuitMove === undefined) {
    return ports.observer.stale(timer);
  }
  const { subscription, before, after, seen, nowMs } = circuitMove;
  await armNext(timer, before, after, ports, policy);
  const isDraining = before.circuit.state === 'draining' && after.circuit.state === 'draining';
  const polls = mayLinger && isDraining && before.rate_limit === undefined;
  const quota = quotaOf(after, polls, policy);
  const wanted = signalsOfTimer(before, after, seen, nowMs, policy.circuit, quota.each);
  let signalled = await signalKeys(wanted, probesOf(after), { timer, endsAtMs }, ports, policy);
  if (polls) {
    const rest = { ...quota, all: quota.all - signalled, moved: movedIn(wanted) };
    const sample = without(seen.sample, wanted);
    const unsignalled = { ...circuitMove, seen: { ...seen, sample } };
    signalled += await pollBacklog(unsignalled, rest, { timer, endsAtMs }, ports, policy);
  }
  ports.observer.timerFired(subscription, before, after, signalled);
}

/** How many ordering keys may be signalled until the next timer, and at one look. */
interface Quota {
  readonly all: number;
  readonly each: number;
  /** How many it has moved to the head so far. */
  readonly moved: number;
}

/** Looks share what an overloaded endpoint allows: all of it at once might be too many. */
function quotaOf(health: EndpointHealth, polls: boolean, { circuit }: DeliveryPolicy): Quota {
  const all = perTimer(health);
  return { all, each: polls ? Math.ceil((all * circuit.lookAgainMs) / circuit.timerMs) : all, moved: 0 };
}

/**
 * Until the next timer, signals ordering keys that move up as others are done, while more wait than may be
 * under way: an endpoint that answers quickly gets more than one window a second.
 */
async function pollBacklog(
  { subscription, before, after, seen: { head: first, sample: unsignalled }, nowMs }: CircuitMove,
  quota: Quota,
  { timer, endsAtMs }: { readonly timer: CircuitTimer; readonly endsAtMs: number },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number> {
  const { timerMs, lookAgainMs } = policy.circuit;
  const max = lookAhead(before, policy.circuit);
  const isPaced = Number.isFinite(quota.all);
  const untilMs = Math.min(nowMs + timerMs, endsAtMs);
  let seen = first;
  let sample = unsignalled;
  let { moved } = quota;
  let signalled = 0;
  try {
    while (
      (isPaced ? seen.length > 0 && signalled < quota.all : seen.length === max) &&
      ports.now() + lookAgainMs < untilMs
    ) {
      await ports.after(lookAgainMs);
      if (ports.now() >= untilMs) {
        // This worker was stopped or busy meanwhile: the next timer takes over.
        break;
      }
      seen = await ports.backlog(subscription.subscription_id, max);
      const left = Math.min(quota.each, quota.all - signalled);
      // As long as the index does not show what has moved, the window does not count it: no more than a window moves.
      const mayMove = Math.max(0, max - 1 - moved);
      const now = { head: seen, sample };
      const wanted = signalsOfTimer(before, after, now, ports.now(), policy.circuit, left, mayMove);
      sample = without(sample, wanted);
      moved += movedIn(wanted);
      signalled += await signalKeys(wanted, [], { timer, endsAtMs }, ports, policy);
    }
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
  return signalled;
}

/** What a sample shows besides: what was signalled has another check by now. */
function without(sample: readonly InBacklog[], wanted: readonly WantedSignal[]): readonly InBacklog[] {
  const signalled = new Set(wanted.map(({ key }) => key.ordering_key));
  return sample.filter(({ ordering_key }) => !signalled.has(ordering_key));
}

function movedIn(wanted: readonly WantedSignal[]): number {
  return wanted.filter(({ isFromElsewhere }) => isFromElsewhere).length;
}

interface CircuitMove {
  readonly subscription: Subscription;
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
  readonly seen: SeenOfBacklog;
  readonly nowMs: number;
}

/** Moves the circuit on; undefined when the timer is of an earlier generation. */
async function moveCircuit(
  timer: CircuitTimer,
  endsAtMs: number,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<CircuitMove | undefined> {
  let waiting: number | undefined;
  let drain: SeenOfDrain | undefined;
  // If calls stall until then, the next worker reads again.
  for (let reading = 1; reading <= MAX_READINGS && ports.now() < endsAtMs; reading++) {
    const subscription = await ports.subscription(timer);
    const circuit = subscription?.circuit;
    if (
      subscription === undefined ||
      circuit?.timer_at === undefined ||
      circuit.generation !== timer.generation
    ) {
      return undefined;
    }
    const before = endpointHealthOf(subscription);
    let seen: SeenOfBacklog;
    [seen, waiting, drain] = await Promise.all([
      seeBacklog(before, subscription, ports, policy),
      waiting ?? countWaiting(timer, before, ports, policy),
      drain ?? seeDrain(timer, before, ports),
    ]);
    const nowMs = ports.now();
    const after = nextEndpointHealth(
      before,
      {
        kind: 'timer_fired',
        backlog: backlogView(seen.head, nowMs),
        sample: seen.sample.map(({ ordering_key }) => ordering_key),
        timeoutMs: subscription.timeout_ms,
        waiting,
        ...drain,
      },
      nowMs,
      policy,
    );
    if (await ports.replaceEndpointHealth(subscription, before, after)) {
      return { subscription, before, after, seen, nowMs };
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

function probesOf({ circuit }: EndpointHealth): readonly string[] {
  return circuit.state === 'half_open' ? circuit.probes : [];
}
