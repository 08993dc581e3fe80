import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isCountDue } from '../../core/circuit/backlog-size.ts';
import type { CircuitInput } from '../../core/circuit/circuit.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import { backlogView, type SeenOfBacklog, signalsOfTimer } from '../../core/ordering/circuit-timer.ts';
import { timerOfCircuit } from '../../core/ordering/timers.ts';
import type { Timer } from '../../core/signal/timer.ts';
import { type CircuitMove, movedIn, pollBacklog, quotaOf, without } from './poll-backlog.ts';
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
