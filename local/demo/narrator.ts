import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';

type Circuit = SubscriptionView['circuit'];

/** What a circuit's new state means, for somebody who sees it for the first time. */
const NEWS: Readonly<Record<Circuit['state'], string>> = {
  open: 'Its circuit opens: its messages wait, and only probes go out until it answers.',
  half_open: 'One message goes out as a probe.',
  draining: 'The probe was delivered. The backlog goes out now, each payment in order.',
  closed: 'The backlog is delivered, and the circuit is closed.',
};

/**
 * Tells what happens to circuits. Each call answers the news since the last one; the first call answers none.
 */
export function narrator(): (
  subscriptions: readonly Pick<SubscriptionView, 'description' | 'circuit'>[],
) => { readonly subscription: string; readonly text: string }[] {
  const known = new Map<string, Circuit['state']>();
  return (subscriptions) =>
    subscriptions.flatMap(({ description, circuit: { state } }) => {
      const before = known.get(description);
      known.set(description, state);
      return before === undefined || before === state
        ? []
        : [{ subscription: description, text: NEWS[state] }];
    });
}
