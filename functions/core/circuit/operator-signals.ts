import type { EndpointHealth } from '../subscription/subscription.ts';
import type { Context } from './states.ts';
import { nextCircuit } from './transitions.ts';

export const OPERATOR_SIGNALS = ['open', 'close', 'drain'] as const;
export type OperatorSignal = (typeof OPERATOR_SIGNALS)[number];

/** What an operator wants of a circuit. `isLineEmpty`: nobody is seen in line; only closing asks for it. */
export interface OperatorInput {
  readonly kind: 'operated';
  readonly signalKind: OperatorSignal;
  readonly isBacklogEmpty: boolean;
}

/**
 * How a subscription stands after an operator's wish: the same object when nothing changes. The circuit of one that is not active follows from its
 * state. `open`: nothing is sent, not even a probe, until somebody closes or drains it. `close`: at once when nobody is in line, else by a drain, which keeps
 * to the order of the line and bounds what is under way.
 */
export function operated(
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

/** Whether there is nothing to do: a drain closes by itself, and would begin with a small window again. */
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

/** Whether an active subscription has this circuit by an operator's wish: any other is probed. */
export function isOpenByHand({ circuit }: Pick<EndpointHealth, 'circuit'>): boolean {
  return circuit.state === 'open' && circuit.probe_at === undefined;
}
