import type { DisabledReason } from '../attempt/answers.ts';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { instant } from '../text/instant.ts';
import { type Circuit, type CircuitInput, CLOSED } from './circuit.ts';
import type { EndpointHealth } from './health-shape.ts';
import { afterOperatorSignal, type OperatorInput } from './operator-signals.ts';
import { afterProofInput, type ProofInput } from './proof.ts';
import { type Context, withTimer } from './states.ts';
import { nextCircuit } from './transitions.ts';

type SubscriptionState = EndpointHealth['state'];

/** Circuit inputs that only follow from a change of state or from an operator's request. */
type Following = 'halted' | 'resumed' | 'shut';

export type EndpointHealthInput =
  | Exclude<CircuitInput, { kind: Following }>
  | { readonly kind: 'paused' | 'enabled' | 'deleted' }
  /** The partner set a rate limit, in attempts per second; absent: no limit. */
  | { readonly kind: 'limited'; readonly rate_limit?: number | undefined }
  | { readonly kind: 'disabled'; readonly reason: DisabledReason }
  | ProofInput
  | OperatorInput;

/** The next state after a request of the partner or the endpoint. Unlisted requests change nothing. */
const STATES: {
  readonly [State in SubscriptionState]: Partial<
    Record<
      Exclude<
        EndpointHealthInput['kind'],
        CircuitInput['kind'] | ProofInput['kind'] | 'limited' | 'operated'
      >,
      SubscriptionState
    >
  >;
} = {
  active: { paused: 'paused', disabled: 'disabled', deleted: 'deleted' },
  unproven: { paused: 'paused', deleted: 'deleted' },
  paused: { enabled: 'active', disabled: 'disabled', deleted: 'deleted' },
  disabled: { enabled: 'active', deleted: 'deleted' },
  deleted: {},
};

/** What a new state means for the circuit. A deleted subscription drains, which cancels its backlog. */
const CIRCUIT_INPUTS = {
  active: 'resumed',
  unproven: 'halted',
  paused: 'halted',
  disabled: 'halted',
  deleted: 'resumed',
} as const;

/** The endpoint health after an input: the same object when nothing changes. */
export function nextEndpointHealth(
  health: EndpointHealth,
  input: EndpointHealthInput,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'circuit' | 'disableAfterMs'>,
): EndpointHealth {
  const context = { nowMs, policy: policy.circuit };
  switch (input.kind) {
    case 'paused':
    case 'enabled':
    case 'deleted':
    case 'disabled': {
      const next = STATES[health.state][input.kind];
      const state = next === 'active' && health.challenge_id !== undefined ? 'unproven' : next;
      if (state === undefined) {
        return health;
      }
      const hasNoCircuit = health.delivery === 'pull' && state !== 'deleted';
      const circuit = hasNoCircuit
        ? { ...health.circuit, revision: health.circuit.revision + 1 }
        : nextCircuit(health.circuit, { kind: CIRCUIT_INPUTS[state] }, context);
      return {
        state,
        ...lastingOf(health),
        circuit: state === 'deleted' ? withWidestWindow(circuit, policy.circuit.widestWindow) : circuit,
        ...(input.kind === 'disabled' ? { disabled_reason: input.reason, disabled_at: instant(nowMs) } : {}),
      };
    }
    case 'challenged':
    case 'proven':
      return afterProofInput(health, input, context);
    case 'operated':
      // A partner fetches when it likes: there is nothing to protect, and nothing to drain.
      return health.delivery === 'pull' ? health : afterOperatorSignal(health, input, context);
    case 'limited':
      return limited(health, input.rate_limit, context);
    default: {
      if (health.state === 'deleted' && input.kind !== 'timer_fired') {
        // Attempts that were under way must not stop the drain.
        return health;
      }
      if (health.rate_limit === undefined && input.kind === 'joined') {
        return health;
      }
      const circuit = nextCircuit(health.circuit, seenBy(health, input), context);
      const next = circuit === health.circuit ? health : { ...health, circuit };
      const failingSince = circuit.failing_since;
      // Two failures with a quiet week between them say little: many in a row must have opened the circuit.
      return input.kind === 'failed' &&
        circuit.has_opened &&
        failingSince !== undefined &&
        nowMs - Date.parse(failingSince) >= policy.disableAfterMs
        ? nextEndpointHealth(next, { kind: 'disabled', reason: 'failing' }, nowMs, policy)
        : next;
    }
  }
}

/**
 * What a timer needs to know. A deleted subscription has no rate limit: its timer would never end. Another's
 * limit holds for probes, too.
 */
function seenBy<Input extends CircuitInput>({ state, rate_limit }: EndpointHealth, input: Input): Input {
  const isDeleted = state === 'deleted';
  return input.kind === 'timer_fired'
    ? {
        ...input,
        sample: input.sample?.slice(0, rate_limit),
        isDeleted,
        isLimited: rate_limit !== undefined && !isDeleted,
      }
    : input;
}

/**
 * Only a closed circuit reacts to a new or removed limit: any other keeps its timer until it closes. A new
 * limit starts a new timer; the pending one used the old limit, and might be the last. When the limit is
 * removed, the backlog drains for as long as a worker with a stale read may still block an ordering key.
 */
function limited(health: EndpointHealth, rate_limit: number | undefined, context: Context): EndpointHealth {
  if (health.rate_limit === rate_limit || health.state === 'deleted') {
    return health;
  }
  const { rate_limit: known, circuit, ...rest } = health;
  const next = { ...rest, ...lastingOf({ ...rest, rate_limit }), circuit };
  if (circuit.state !== 'closed' || (known !== undefined && rate_limit !== undefined)) {
    return next;
  }
  return rate_limit === undefined
    ? { ...next, circuit: nextCircuit(circuit, { kind: 'resumed' }, context) }
    : { ...next, circuit: { ...withTimer(circuit, context.nowMs), revision: circuit.revision + 1 } };
}

/** The health of a subscription's endpoint: its circuit is stored once it has not been closed. */
export function endpointHealthOf(
  subscription: Omit<EndpointHealth, 'circuit'> & { readonly circuit?: Circuit | undefined },
): EndpointHealth {
  const { state, disabled_reason, disabled_at, circuit } = subscription;
  return {
    state,
    ...lastingOf(subscription),
    ...(disabled_reason === undefined ? {} : { disabled_reason }),
    ...(disabled_at === undefined ? {} : { disabled_at }),
    circuit: circuit ?? CLOSED,
  };
}

type Lasting = Pick<EndpointHealth, 'challenge_id' | 'rate_limit' | 'delivery'>;

/** What outlasts a change of state. */
function lastingOf({ challenge_id, rate_limit, delivery }: Lasting): Lasting {
  return {
    ...(rate_limit === undefined ? {} : { rate_limit }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(challenge_id === undefined ? {} : { challenge_id }),
  };
}

/** A deleted subscription has no endpoint to protect. */
function withWidestWindow(circuit: Circuit, widestWindow: number): Circuit {
  return circuit.state === 'draining' ? { ...circuit, window: widestWindow } : circuit;
}
