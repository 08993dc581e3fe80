import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Command } from '../command.ts';
import { deliveryFeed } from '../delivery-feed.ts';
import { messagesOrNone } from '../partner.ts';
import { deliveryLine, FEED_TITLES } from '../text/delivery-line.ts';

const LOOK_EVERY_MS = 1_000;

/** Each look is a request for each subscription. At this pace it takes half of what a token usually has, and leaves the rest to others who use the token. */
const EACH_REQUEST_MS = 200;

export const tail: Command = {
  name: 'tail',
  takes: [],
  summary: 'Follow your deliveries as they happen, until Ctrl-C',
  options: {
    subscription: { value: 'ID', help: 'only of this one' },
    past: { help: 'begin with the newest hundred of each' },
  },
  async run(given, { api, print, colors, wait }) {
    const wanted = given.text('subscription');
    let requests = 0;
    const feed = deliveryFeed({
      async subscriptions() {
        const answer = (await api('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] };
        const followed = answer.subscriptions.filter(
          ({ subscription_id }) => wanted === undefined || subscription_id === wanted,
        );
        requests = 1 + followed.length;
        return followed;
      },
      messages: (subscriptionId) => messagesOrNone(api, subscriptionId),
    });
    if (wanted !== undefined) {
      // Whoever mistypes it should not wait for ever.
      await api('GET', `/subscriptions/${wanted}`);
    }
    const past = await feed();
    print(colors.bold(FEED_TITLES), { following: wanted ?? 'all' });
    let news = given.flag('past') ? past : [];
    for (;;) {
      for (const one of news) {
        print(deliveryLine(one, colors), one.message);
      }
      await wait(Math.max(LOOK_EVERY_MS, requests * EACH_REQUEST_MS));
      news = await feed();
    }
  },
};
