import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { printable } from '../../terminal/terminal.ts';
import { isMissing } from '../api-client.ts';
import { ID, partnerCommand, type World } from '../partner-command.ts';
import { textOf } from './messages.ts';

/** Longer than any deadline of an attempt. */
const WAITING_TIME_MS = 45_000;
const LOOK_EVERY_MS = 300;

export const ping = partnerCommand({
  name: 'ping',
  arguments: { subscription: ID },
  summary: 'Send a test webhook and show what comes back',
  example: 'sub_2cXj1x8',
  options: {
    verbose: { help: 'show everything about the attempt' },
    'sample-of': { value: 'TYPE', help: 'send a sample of this event type, marked as one' },
    'no-wait': { help: 'do not wait for the attempt' },
  },
  async run(given, world) {
    const path = `/subscriptions/${given.subscription}`;
    const sample_of = given['sample-of'];
    const body = sample_of === undefined ? {} : { body: { sample_of } };
    const { callback_url } = (await world.api('GET', path)) as SubscriptionView;
    const sent = (await world.api('POST', `${path}/ping`, body)) as {
      message_id: string;
    };
    if (given['no-wait']) {
      world.print(`${sent.message_id} is on its way.`, sent);
      return true;
    }
    world.progress?.(`${sent.message_id} is on its way`);
    const attempted = await attemptOf(sent.message_id, world);
    if (attempted === undefined) {
      world.print(
        `${sent.message_id} has not been attempted for ${WAITING_TIME_MS / 1_000} s. Look again: npm run webhooks -- message ${sent.message_id}`,
        sent,
      );
      return false;
    }
    const sentence = sentenceOf(attempted, callback_url);
    world.print(given.verbose ? `${sentence}\n\n${textOf(attempted)}` : sentence, attempted);
    return attempted.state === 'succeeded';
  },
});

function sentenceOf({ attempts, state, state_reason }: MessageView, callbackUrl: string): string {
  const url = printable(callbackUrl);
  const attempt = attempts.at(-1);
  if (attempt === undefined) {
    return `✗ ${url}: not attempted, ${[state, state_reason].filter(Boolean).join(' ')}`;
  }
  const { status_code: status, failure_class = 'http_status', failure_reason: reason } = attempt;
  const sign = state === 'succeeded' ? '✓' : '✗';
  return status === undefined || failure_class !== 'http_status'
    ? `${sign} ${url}: ${printable(reason ?? 'no answer')}`
    : `${sign} ${url} answered ${status} in ${Math.round(attempt.duration_ms)} ms`;
}

/** The message once it has ended; it is on record from its attempt on. */
async function attemptOf(messageId: string, { api, now, wait }: World): Promise<MessageView | undefined> {
  const giveUpAt = now() + WAITING_TIME_MS;
  while (now() < giveUpAt) {
    try {
      const message = (await api('GET', `/messages/${messageId}`)) as MessageView;
      if (message.ended_at !== undefined) {
        return message;
      }
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
    }
    await wait(LOOK_EVERY_MS);
  }
  return undefined;
}
