import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../api/live.ts';
import { hrefOf, type MessageFilter } from '../app/route.ts';
import { waitingOf } from '../subscriptions/health.ts';
import { type Statistics, subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { count } from '../words/numbers.ts';

/** What failed first. */
const STATES = [undefined, 'exhausted', 'retrying', 'parked', 'succeeded', 'cancelled'] as const;
const COUNT_EVERY_MS = 300_000;
const HOURS = 24;

interface StateTabsProps {
  readonly subscription: SubscriptionView;
  readonly filter: MessageFilter;
}

/** One step to all that failed, or waits, with how many ended so within a day, and how many wait now. */
export function StateTabs({ subscription, filter }: StateTabsProps) {
  const id = subscription.subscription_id;
  const { data } = useLive<Statistics>(`${subscriptionPath(id)}/statistics?by=hour`, COUNT_EVERY_MS);
  const { state: _, ...others } = filter;
  const waiting = waitingOf(subscription);
  const held = waiting.screen === 'messages' ? waiting.filter.state : undefined;
  const ended = { exhausted: 'exhausted', succeeded: 'delivered', cancelled: 'cancelled' } as const;
  const numberOf = (state: (typeof STATES)[number]) => {
    // The counts know no event types and payments.
    if (data === undefined || state === undefined || Object.keys(others).length > 0) return '';
    if (state === 'retrying' || state === 'parked') {
      return state === held ? `${count(data.waiting.count)}${data.waiting.is_more ? '+' : ''}` : '';
    }
    return count(data.periods.slice(-HOURS).reduce((sum, period) => sum + period[ended[state]], 0));
  };
  return (
    <nav class="states" aria-label={TEXT.messages.byState}>
      {STATES.map((state) => (
        <a
          key={state}
          href={hrefOf({
            screen: 'messages',
            id,
            filter: state === undefined ? others : { ...others, state },
          })}
          {...(filter.state === state ? { 'aria-current': 'page' as const } : {})}
        >
          {state === undefined ? TEXT.messages.all : TEXT.messageState[state]} <b>{numberOf(state)}</b>
        </a>
      ))}
      <span class="soft">{TEXT.messages.counted}</span>
    </nav>
  );
}
