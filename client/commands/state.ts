import type { SubscriptionView } from '../../functions/core/subscription-view.ts';
import type { Command, Given, World } from '../command.ts';

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
  async run({ named }, { api, print }) {
    await api('DELETE', `/subscriptions/${named.subscription}`);
    print(`${named.subscription} is gone.`, { subscription_id: named.subscription, state: 'deleted' });
    return true;
  },
};

async function set(wish: 'pause' | 'enable', { named }: Given, { api, print }: World): Promise<boolean> {
  const path = `/subscriptions/${named.subscription}/${wish}`;
  const subscription = (await api('POST', path)) as SubscriptionView;
  const { subscription_id, state, circuit } = subscription;
  print(`${subscription_id} is ${state}, its circuit ${circuit.state}.`, subscription);
  return true;
}
