import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';

type Ranked = Pick<SubscriptionView, 'state' | 'disabled_at' | 'circuit'>;

/** What needs somebody first, then what is on its way, then what was stopped on purpose, then what is well. */
export function byTrouble<One extends Ranked>(subscriptions: readonly One[]): readonly One[] {
  return subscriptions.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || sinceOf(one).localeCompare(sinceOf(other)),
  );
}

function rankOf({ state, circuit }: Ranked): number {
  if (state === 'disabled') return 0;
  if (state === 'unproven') return 1;
  if (state === 'paused') return 4;
  switch (circuit.state) {
    case 'half_open':
      return 1;
    case 'open':
      return circuit.next_probe_at === undefined ? 3 : 1;
    case 'draining':
      return 2;
    case 'closed':
      return 5;
  }
}

/** The longest in trouble first; what is well stays in its order. */
function sinceOf({ state, disabled_at = '', circuit }: Ranked): string {
  if (state === 'disabled') return disabled_at;
  return circuit.state === 'closed' ? '' : (circuit.in_trouble_since ?? circuit.since ?? '');
}
