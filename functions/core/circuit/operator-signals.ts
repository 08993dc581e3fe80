import type { EndpointHealth } from './health-shape.ts';
import type { Context } from './states.ts';
import { nextCircuit } from './transitions.ts';

export const OPERATOR_SIGNALS = ['open', 'close', 'drain'] as const;
export type OperatorSignal = (typeof OPERATOR_SIGNALS)[number];

/** An operator's request. `isBacklogEmpty`: the backlog looks empty; only `close` uses it. */
export interface OperatorInput {
  readonly kind: 'operated';
  readonly signalKind: OperatorSignal;
  readonly isBacklogEmpty: boolean;
}

/**
 * The endpoint health after an operator's request: the same object when nothing changes. The circuit of a
 * subscription that is not active follows from its state.
 * `open`: nothing is sent, not even a probe, until an operator closes or drains the circuit. `drain`: sends
 * the backlog. `close`: at once when the backlog is empty, else by a drain, which keeps the order of the
 * backlog and bounds what is under way.
 */
export function afterOperatorSignal(
  health: EndpointHealth,
  { signalKind, isBacklogEmpty }: OperatorInput,
  context: Context,
): EndpointHealth {
  const { circuit } = health;
  if (health.state !== 'active' || isAsRequested(health, signalKind)) {
    return health;
  }
  const closesAtOnce = signalKind === 'close' && isBacklogEmpty;
  const kind = signalKind === 'open' ? 'halted' : closesAtOnce ? 'shut' : 'resumed';
  return { ...health, circuit: nextCircuit(circuit, { kind }, context) };
}

/** Whether there is nothing to do. Restarting a drain would set it back to a small window. */
function isAsRequested({ circuit }: EndpointHealth, signalKind: OperatorSignal): boolean {
  switch (signalKind) {
    case 'open':
      return isOpenByHand({ circuit });
    case 'drain':
      return circuit.state === 'draining';
    case 'close':
      return circuit.state === 'draining' || circuit.state === 'closed';
  }
}

/** Whether an operator opened the circuit of this active subscription: any other open circuit has a probe. */
export function isOpenByHand({ circuit }: Pick<EndpointHealth, 'circuit'>): boolean {
  return circuit.state === 'open' && circuit.probe_at === undefined;
}
