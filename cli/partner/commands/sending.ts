import type { RecoveryView } from '../../../functions/core/message/recovery-view.ts';
import { ID, partnerCommand, type World } from '../partner-command.ts';

export const resend = partnerCommand({
  name: 'resend',
  arguments: { message: ID },
  summary: 'Send a message again, or try one now that is retried',
  example: 'msg_2cXj1x8',
  async run(given, { api, print }) {
    const resent = (await api('POST', `/messages/${given.message}/resend`)) as { state_before: string };
    print(`${given.message} was ${resent.state_before}; it will be sent again.`, resent);
    return true;
  },
});

export const cancel = partnerCommand({
  name: 'cancel',
  arguments: { message: ID },
  summary: 'Cancel a message that is retried or waits, so that later ones of its payment go on',
  example: 'msg_2cXj1x8',
  async run(given, { api, print }) {
    const cancelled = (await api('POST', `/messages/${given.message}/cancel`)) as { state_before: string };
    print(
      `${given.message} was ${cancelled.state_before}; it will be cancelled, unless an attempt under way delivers it.`,
      cancelled,
    );
    return true;
  },
});

const LOOK_EVERY_MS = 1_000;

export const recover = partnerCommand({
  name: 'recover',
  arguments: { subscription: ID },
  summary: 'Send all messages again that failed in a period',
  example: 'sub_2cXj1x8 --since 2026-11-14T10:00:00Z --state exhausted',
  options: {
    since: {
      value: 'INSTANT',
      required: true,
      help: 'admitted at or after this instant, such as 2026-11-14T10:00:00Z',
    },
    until: { value: 'INSTANT', help: 'admitted before this instant (default: now)' },
    state: { value: 'NAME', isList: true, help: 'only what is exhausted, or cancelled; may be repeated' },
    'event-type': {
      value: 'TYPE',
      isList: true,
      help: 'only this event type, or the beginning of some and *; may be repeated',
    },
    'no-wait': { help: 'do not wait until it has finished' },
  },
  async run(given, world) {
    const { since, until } = given;
    const path = `/subscriptions/${given.subscription}/recoveries`;
    const [states, event_types] = [given.state, given['event-type']];
    const body = {
      since,
      ...(until === undefined ? {} : { until }),
      ...(states === undefined ? {} : { states }),
      ...(event_types === undefined ? {} : { event_types }),
    };
    const started = (await world.api('POST', path, { body })) as RecoveryView;
    const recovery = given['no-wait'] ? started : await endOf(started, path, world);
    const { recovery_id, state, examined_count, resent_count } = recovery;
    const told = `${recovery_id} is ${state}: ${counted(examined_count, 'message')} examined, ${resent_count} sent again.`;
    world.print(
      `${told}\nWhat became of them: npm run webhooks -- ${whichMessages(given.subscription, since, until)}`,
      recovery,
    );
    return recovery.state !== 'stopped';
  },
});

function whichMessages(subscription: string, since: string, until: string | undefined): string {
  return `messages ${subscription} --since ${since}${until === undefined ? '' : ` --until ${until}`}`;
}

async function endOf(recovery: RecoveryView, path: string, world: World): Promise<RecoveryView> {
  let latest = recovery;
  while (latest.state === 'running') {
    world.progress?.(`${latest.recovery_id}: ${counted(latest.examined_count, 'message')} examined`);
    await world.wait(LOOK_EVERY_MS);
    latest = (await world.api('GET', `${path}/${recovery.recovery_id}`)) as RecoveryView;
  }
  return latest;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
