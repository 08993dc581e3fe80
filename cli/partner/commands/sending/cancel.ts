import { ID, partnerCommand } from '../../partner-command.ts';

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
