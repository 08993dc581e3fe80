import { ID, partnerCommand } from '../../partner-command.ts';

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
