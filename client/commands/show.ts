import type { Command } from '../command.ts';
import { memberLines } from '../member-lines.ts';

export const show: Command = {
  name: 'show',
  takes: ['subscription'],
  summary: 'One subscription: how it is set, and how it fares',
  async run({ named }, { api, print }) {
    const subscription = (await api('GET', `/subscriptions/${named.subscription}`)) as object;
    print(memberLines(subscription), subscription);
    return true;
  },
};
