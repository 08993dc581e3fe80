import type { Standing } from '../subscription/subscription.ts';
import type { Context } from './states.ts';
import { nextCircuit } from './transitions.ts';

export const OPERATORS_WISHES = ['open', 'close', 'drain'] as const;
export type OperatorsWish = (typeof OPERATORS_WISHES)[number];

/** What an operator wants of a circuit. `isLineEmpty`: nobody is seen in line; only closing asks for it. */
export interface OperatorsInput {
  readonly kind: 'operated';
  readonly wish: OperatorsWish;
  readonly isLineEmpty: boolean;
}

/**
 * How a subscription stands after an operator's wish: the same object when nothing changes. The circuit of one that is not active follows from its
 * state. `open`: nothing is sent, not even a probe, until somebody closes or drains it. `close`: at once when nobody is in line, else by a drain, which keeps
 * to the order of the line and bounds what is under way.
 */
export function operated(
  standing: Standing,
  { wish, isLineEmpty }: OperatorsInput,
  context: Context,
): Standing {
  const { circuit } = standing;
  if (standing.state !== 'active' || isAsWished(standing, wish)) {
    return standing;
  }
  const closesAtOnce = wish === 'close' && isLineEmpty;
  const kind = wish === 'open' ? 'halted' : closesAtOnce ? 'shut' : 'resumed';
  return { ...standing, circuit: nextCircuit(circuit, { kind }, context) };
}

/** Whether there is nothing to do: a drain closes by itself, and would begin with a small window again. */
function isAsWished({ circuit }: Standing, wish: OperatorsWish): boolean {
  switch (wish) {
    case 'open':
      return isOpenByHand({ circuit });
    case 'drain':
      return circuit.state === 'draining';
    case 'close':
      return circuit.state === 'draining' || circuit.state === 'closed';
  }
}

/** Whether an active subscription has this circuit by an operator's wish: any other is probed. */
export function isOpenByHand({ circuit }: Pick<Standing, 'circuit'>): boolean {
  return circuit.state === 'open' && circuit.probe_at === undefined;
}
