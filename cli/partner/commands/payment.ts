import type { PaymentTimeline } from '../../../functions/core/timeline/timeline-view.ts';
import { timelineText } from '../../timeline/timeline-text.ts';
import { type ApiClient, isMissing } from '../api-client.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { RefusedError } from '../refused-error.ts';
import { moreText } from '../text/subscription-text.ts';
import { CURSOR, LIMIT } from './messages.ts';

const MAX_OF_A_PAGE = 50;

const UNKNOWN = `Is this its id, and is the token of its service? Nothing is on record of a payment whose events nobody published,
no subscription wanted (its event types, live or test), or that ended over 90 days ago. A message appears a second
after its first attempt.`;

/** @throws RefusedError when nothing is known of it, with what to check */
export async function paymentPage(
  api: ApiClient,
  paymentId: string,
  size: number,
  cursor: string | undefined,
): Promise<PaymentTimeline> {
  try {
    const query = { limit: String(Math.min(size, MAX_OF_A_PAGE)), cursor };
    return (await api('GET', `/payments/${paymentId}`, { query })) as PaymentTimeline;
  } catch (error) {
    throw isMissing(error) && error instanceof RefusedError
      ? new RefusedError(`${error.message}\n${UNKNOWN}`, error.status, error.problem)
      : error;
  }
}

export const payment = partnerCommand({
  name: 'payment',
  arguments: { payment: ID },
  summary: 'Show the timeline of a payment: where its webhooks are, and what is next',
  example: 'pay_2cXj1x8',
  remarks: 'Lines without a subscription are about the event. A number in brackets is the publisher’s.',
  options: { limit: LIMIT, cursor: CURSOR },
  async run(given, { api, print, colors, now }) {
    const { limit } = given;
    const page = (size: number, cursor: string | undefined) => paymentPage(api, given.payment, size, cursor);
    let last = await page(limit, given.cursor);
    const { next_cursor: _, ...shown } = last;
    const messages = [...shown.messages];
    const subscriptions = new Map(shown.subscriptions.map((one) => [one.subscription_id, one]));
    while (last.next_cursor !== undefined && messages.length < limit) {
      last = await page(limit - messages.length, last.next_cursor);
      messages.push(...last.messages);
      for (const one of last.subscriptions) {
        subscriptions.set(one.subscription_id, one);
      }
    }
    const timeline = {
      ...shown,
      subscriptions: [...subscriptions.values()],
      messages,
      ...(last.next_cursor === undefined ? {} : { next_cursor: last.next_cursor }),
    };
    print([timelineText(timeline, now(), colors), ...moreText(last.next_cursor)].join('\n'), timeline);
    return true;
  },
});
