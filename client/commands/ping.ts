import type { MessageView } from '../../functions/core/message-view.ts';
import { isMissing } from '../api-client.ts';
import type { Command, World } from '../command.ts';
import { textOf } from './message.ts';

/** Longer than any deadline of an attempt. */
const WAITING_TIME_MS = 45_000;
const LOOK_EVERY_MS = 300;

export const ping: Command = {
  name: 'ping',
  takes: ['subscription'],
  summary: 'Send a test webhook and show what comes back',
  options: { 'no-wait': { help: 'do not wait for the attempt' } },
  async run(given, world) {
    const sent = (await world.api('POST', `/subscriptions/${given.named.subscription}/ping`)) as {
      message_id: string;
    };
    if (given.flag('no-wait')) {
      world.print(`${sent.message_id} is on its way.`, sent);
      return true;
    }
    world.progress(`${sent.message_id} is on its way`);
    const attempted = await attemptOf(sent.message_id, world);
    if (attempted === undefined) {
      world.print(
        `${sent.message_id} has not been attempted for ${WAITING_TIME_MS / 1_000} s. Look again: npm run webhooks -- message ${sent.message_id}`,
        sent,
      );
      return false;
    }
    world.print(textOf(attempted), attempted);
    return attempted.state === 'succeeded';
  },
};

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
