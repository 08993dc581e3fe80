import type { Command } from '../command.ts';

export const resend: Command = {
  name: 'resend',
  takes: ['message'],
  summary: 'Send a message once more that has ended',
  async run({ named }, { api, print }) {
    const resent = (await api('POST', `/messages/${named.message}/resend`)) as { state_before: string };
    print(`${named.message} was ${resent.state_before}; it will be sent once more.`, resent);
    return true;
  },
};
