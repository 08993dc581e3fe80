import type { EventTypeSummary } from '../../../functions/core/catalogue/event-type-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { deliveryFeed } from '../delivery-feed.ts';
import { pageOrNone } from '../partner.ts';
import { partnerCommand } from '../partner-command.ts';
import { feedLines, leftOutLine } from '../text/delivery-line.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Each look is at least a request for each subscription. At this pace it takes half of what a token usually
 * has, and leaves the rest to others who use the token.
 */
const EACH_REQUEST_MS = 200;

export const tail = partnerCommand({
  name: 'tail',
  summary: 'Follow your deliveries as they happen, until Ctrl-C',
  example: '--past',
  options: {
    subscription: { value: 'ID', help: 'follow only this subscription' },
    past: { help: 'print the newest 100 messages of each first' },
  },
  async run(given, { api, print, colors, wait }) {
    const wanted = given.subscription;
    let requests = 0;
    const feed = deliveryFeed({
      async subscriptions() {
        const answer = (await api('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] };
        const followed = answer.subscriptions.filter(
          ({ subscription_id }) => wanted === undefined || subscription_id === wanted,
        );
        requests = 1;
        return followed;
      },
      messages(subscriptionId, query) {
        requests += 1;
        return pageOrNone(api, subscriptionId, query);
      },
    });
    if (wanted !== undefined) {
      // A mistyped id would wait for ever.
      await api('GET', `/subscriptions/${wanted}`);
    }
    const { event_types } = (await api('GET', '/event-types')) as { event_types: EventTypeSummary[] };
    const { titles, line } = feedLines(
      event_types.map(({ event_type }) => event_type),
      colors,
    );
    let look = await feed();
    let news = given.past ? look.news : [];
    print(colors.bold(titles), { following: wanted ?? 'all' });
    for (;;) {
      for (const { subscription, ...span } of look.leftOut) {
        print(leftOutLine({ subscription, ...span }, colors), { left_out: span });
      }
      for (const one of news) {
        print(line(one), one.message);
      }
      await wait(Math.max(LOOK_EVERY_MS, requests * EACH_REQUEST_MS));
      look = await feed();
      news = look.news;
    }
  },
});
