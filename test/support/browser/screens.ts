import { happening } from '../deployed/happening.ts';
import { eventually } from '../eventually.ts';
import type { Viewer } from './viewer.ts';

/** What the addresses of screens name. */
export interface Named {
  readonly id: string;
  readonly message: string;
  readonly payment: string;
  readonly recovery: string;
}

/** Each screen: its name, its address, and what is there once it is complete. */
export const SCREENS = [
  ['the list of subscriptions', '#/subscriptions', 'another shop'],
  ['the form for a new subscription', '#/subscriptions/new', 'Create subscription'],
  ['a subscription', '#/subscriptions/:id', 'The same in numbers'],
  ['the form for its settings', '#/subscriptions/:id/edit', 'Takes 2 of 2.'],
  ['its secrets', '#/subscriptions/:id/secrets', 'Rotate, step by step'],
  ['its messages', '#/subscriptions/:id/messages', 'Given up'],
  ['messages that do not fit', '#/subscriptions/:id/messages?state=cancelled', 'No message fits'],
  ['what to recover', '#/subscriptions/:id/recover', 'Count them'],
  ['a recovery', '#/subscriptions/:id/recover?recovery_id=:recovery', 'What became of them'],
  ['a message', '#/messages/:message', 'Headers and signature'],
  ['the search for a payment', '#/payments', 'Find a payment'],
  ['a payment', '#/payments/:payment', 'from event to end'],
  ['the changes', '#/changes', 'Created the subscription'],
  ['the changes of a subscription', '#/changes?subscription_id=:id', 'Started a recovery'],
  ['an address without a screen', '#/nothing', 'There is nothing here'],
] as const;

export function addressed(hash: string, named: Named): string {
  return hash.replace(/:(id|message|payment|recovery)\b/g, (_, name) => named[name as keyof Named]);
}

/** A partner with something on each screen: two subscriptions, what was delivered and what was given up. */
export async function somethingEverywhere({ partner, receiver, stack }: Viewer): Promise<Named> {
  const payment = `pay-${partner.serviceId.slice(4, 12)}`;
  const failing = {
    failing_resource_id: payment,
    response_headers: { 'webhook-delivery': 'abort-message' },
  };
  const { id } = await partner.subscribe(await receiver.endpoint('everywhere', failing), {
    description: 'my shop',
    filter: { payment_id: [{ 'anything-but': '' }] },
  });
  await partner.subscribe(await receiver.endpoint('paused'), { description: 'another shop' });
  await stack.publish(happening(partner, { payment_id: payment }), happening(partner));
  const all = await partner.messages(
    id,
    (messages) => messages.length === 2 && messages.some(({ state }) => state === 'exhausted'),
  );
  const message = all.find(({ state }) => state === 'exhausted')?.message_id ?? '';
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const until = new Date(Date.now() - 3_000_000).toISOString();
  const path = `/subscriptions/${id}/recoveries`;
  const { recovery_id: recovery } = (await partner.call('POST', path, { since, until })).body;
  await eventually('the recovery has ended', async () => {
    const { body } = await partner.call('GET', `${path}/${recovery}`);
    return body.state === 'done';
  });
  // A page asks again only after some seconds.
  await eventually('its attempts are counted', async () => {
    const { body } = await partner.call('GET', `/subscriptions/${id}/statistics?by=hour`);
    return body.periods.length > 0;
  });
  return { id, message, payment, recovery };
}
