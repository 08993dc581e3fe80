import { hostname } from 'node:os';
import * as z from 'zod';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { oneOf } from '../../terminal/option-kinds.ts';
import { printable } from '../../terminal/terminal.ts';
import { isMissing } from '../api-client.ts';
import { type Forwarded, forwardOne, listen as listenTo } from '../listen/listener.ts';
import { TARGET } from '../listen/target.ts';
import { partnerCommand, type World } from '../partner-command.ts';
import { FILTER, filterIn } from '../subscription-options.ts';
import { FORWARDED_TITLES, forwardedLine } from '../text/forwarded-line.ts';

/** A listener that has vanished is deleted after this. */
const EXPIRES_AFTER_SECONDS = 300;

export const listen = partnerCommand({
  name: 'listen',
  arguments: { target: TARGET },
  summary: 'Forward events to this machine as they happen, until Ctrl-C',
  example: '3000/webhooks',
  options: {
    events: {
      value: 'TYPE',
      isList: true,
      help: 'an event type, or the beginning of some and *; may be repeated (default: all)',
    },
    ...FILTER,
    live: { help: 'events of live payments (default: of test payments)' },
    'no-retry': { help: 'try each event once (default: failed ones are retried on the schedule)' },
    replay: {
      value: 'ID',
      isList: true,
      check: z.string().regex(/^msg_[A-Za-z0-9_-]+$/, 'must be the id of a message, msg_…'),
      help: 'forward this message once more first; may be repeated',
    },
    print: { value: 'WHAT', check: oneOf(['json']), help: 'json: print the body of each event' },
  },
  remarks: `It pulls from a subscription of its own, which ends with it, or five minutes after it has vanished.
No tunnel and no open port is needed. Events of a payment come one after another, others side by side.`,
  async run(given, world) {
    const { api, lastWord, print, colors, now } = world;
    const url = given.target;
    const body = {
      delivery: 'pull',
      description: `listener on ${hostname()}`.slice(0, 200),
      event_types: given.events ?? ['*'],
      ...(given.filter === undefined ? {} : { filter: filterIn(given.filter) }),
      live: given.live,
      expires_after_seconds: EXPIRES_AFTER_SECONDS,
    };
    const created = (await api('POST', '/subscriptions', { body })) as SubscriptionView & {
      signing_secret: string;
    };
    const { subscription_id: subscriptionId, signing_secret: secret } = created;
    const tell = (forwarded: Forwarded) => {
      const { message, ...answer } = forwarded;
      const more = given.print === 'json' ? `\n${printable(message.body)}` : '';
      print(`${forwardedLine(forwarded, now(), colors)}${more}`, { ...message, ...answer });
    };
    try {
      print(
        `Listening as ${subscriptionId}; forwarding to ${printable(url)}. Ctrl-C ends it.\nsigning secret  ${secret}\n\n${colors.bold(FORWARDED_TITLES)}`,
        { listening: subscriptionId, url, signing_secret: secret },
      );
      for (const id of given.replay ?? []) {
        tell(await replayed(id, secret, url, world));
      }
      return await listenTo({ ...world, subscriptionId, url, isOnce: given['no-retry'], tell });
    } catch (error) {
      throw isMissing(error)
        ? new ExplainedError(`The subscription ${subscriptionId} of this listener is gone: start it again.`)
        : error;
    } finally {
      // It expires if this fails.
      await lastWord('DELETE', `/subscriptions/${subscriptionId}`).catch(() => undefined);
    }
  },
});

/** A message of any subscription of the service, signed with the secret of this listener. */
async function replayed(id: string, secret: string, url: string, world: World): Promise<Forwarded> {
  const message = (await world.api('GET', `/messages/${id}`)) as MessageView;
  const { body, payment_id, event_type, attempt_count } = message;
  if (body === undefined) {
    throw new ExplainedError(`The body of ${id} is not on record any more.`);
  }
  const attempt = attempt_count + 1;
  const headers = signedHeaders({
    messageId: id,
    timestampSeconds: Math.floor(world.now() / 1_000),
    body,
    keys: [{ secret, private_key: '' }],
    attempt,
  });
  const fed = {
    lease_id: '',
    leased_until: '',
    message_id: id,
    payment_id,
    event_type,
    attempt,
    headers,
    body,
  };
  return forwardOne(fed, { ...world, url });
}
