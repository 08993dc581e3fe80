import type { EndpointHealth } from './health-shape.ts';
import type { Context } from './states.ts';
import { nextCircuit } from './transitions.ts';

/**
 * `challenged`: the endpoint has to answer this message, and no earlier one, before it gets events. `proven`:
 * it has.
 */
export interface ProofInput {
  readonly kind: 'challenged' | 'proven';
  readonly challenge_id: string;
}

/**
 * The endpoint health after a challenge was asked or answered: the same object when nothing changes, as when an
 * answer to an earlier challenge comes. What is paused or disabled stays so.
 */
export function afterProofInput(
  health: EndpointHealth,
  { kind, challenge_id }: ProofInput,
  context: Context,
): EndpointHealth {
  const { challenge_id: pending, ...rest } = health;
  if (health.state === 'deleted' || (kind === 'proven' && pending !== challenge_id)) {
    return health;
  }
  const { state, circuit } = health;
  if (kind === 'proven') {
    return state === 'unproven'
      ? { ...rest, state: 'active', circuit: nextCircuit(circuit, { kind: 'resumed' }, context) }
      : { ...rest, circuit: rewritten(circuit) };
  }
  return state === 'active' || state === 'unproven'
    ? { ...rest, challenge_id, state: 'unproven', circuit: nextCircuit(circuit, { kind: 'halted' }, context) }
    : { ...rest, challenge_id, circuit: rewritten(circuit) };
}

/** Every change of the health is one of the circuit: that is what writers lock by. */
function rewritten(circuit: EndpointHealth['circuit']): EndpointHealth['circuit'] {
  return { ...circuit, revision: circuit.revision + 1 };
}
