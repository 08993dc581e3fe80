import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { printable } from '../../terminal/printable.ts';
import type { ApiClient } from '../api-client.ts';
import type { Command, Given, World } from '../command.ts';
import type { Statistics } from './statistics.ts';

export const pause: Command = {
  name: 'pause',
  takes: ['subscription'],
  summary: 'Stop all attempts: messages wait from now on',
  run: (given, world) => set('pause', given, world),
};

export const enable: Command = {
  name: 'enable',
  takes: ['subscription'],
  summary: 'Go on after a pause, or after it was disabled',
  run: (given, world) => set('enable', given, world),
};

export const deleteIt: Command = {
  name: 'delete',
  takes: ['subscription'],
  summary: 'End a subscription, for good; what waits is cancelled',
  options: { yes: { help: 'do it; without, it is only told what would happen' } },
  async run({ named, flag }, { api, print }) {
    if (!flag('yes')) {
      throw new ExplainedError(await consequences(named.subscription ?? '', api));
    }
    await api('DELETE', `/subscriptions/${named.subscription}`);
    print(`${named.subscription} is gone.`, { subscription_id: named.subscription, state: 'deleted' });
    return true;
  },
};

/** @throws RefusedError when there is no such subscription */
async function consequences(id: string, api: ApiClient): Promise<string> {
  const { callback_url } = (await api('GET', `/subscriptions/${id}`)) as SubscriptionView;
  const { waiting } = (await api('GET', `/subscriptions/${id}/statistics`)) as Statistics;
  const { count, is_more } = waiting;
  const cancelled =
    count === 0
      ? 'No message waits that would be cancelled.'
      : `${is_more ? 'More than ' : ''}${count} ${count === 1 ? 'message that waits' : 'messages that wait'} would be cancelled.`;
  return [
    `${id} (${printable(callback_url)}) would end, for good. ${cancelled}`,
    'Its list of messages would go with it: each is found by its payment then.',
    'Nothing has been done yet. To end it: add --yes.',
  ].join('\n');
}

async function set(wanted: 'pause' | 'enable', { named }: Given, { api, print }: World): Promise<boolean> {
  const path = `/subscriptions/${named.subscription}/${wanted}`;
  const subscription = (await api('POST', path)) as SubscriptionView;
  const { subscription_id, state, circuit } = subscription;
  print(`${subscription_id} is ${state}, its circuit ${circuit.state}.`, subscription);
  return true;
}
