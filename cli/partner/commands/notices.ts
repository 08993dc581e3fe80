import type { NoticesView } from '../../../functions/core/notices/notices-view.ts';
import { textTable } from '../../terminal/terminal.ts';
import { ID, partnerCommand } from '../partner-command.ts';

export const notices = partnerCommand({
  name: 'notices',
  arguments: { subscription: ID },
  summary: 'List what was told of a subscription, by mail and webhook, newest first',
  example: 'sub_2cXj1x8',
  async run(given, { api, print }) {
    const answer = (await api('GET', `/subscriptions/${given.subscription}/notices`)) as NoticesView;
    print(textOf(answer), answer);
    return true;
  },
});

function textOf({ contact, public_key, notices }: NoticesView): string {
  const rows = notices.map(({ at, kind, by, to, result, ended_at, next_attempt_at }) => [
    ...[at, kind, by, to],
    result.replace('_', ' '),
    ended_at ?? `again at ${next_attempt_at}`,
  ]);
  const titles = ['decided at', 'notice', 'by', 'to', 'result', 'when'];
  return [
    ...(contact === undefined ? [] : [`Contact ${contact.to}: ${contact.state} since ${contact.since}.`]),
    ...(public_key === undefined ? [] : [`Verifies webhooks to the notices URL: ${public_key}`]),
    ...(rows.length === 0 ? ['Nothing was told yet.'] : textTable([titles, ...rows])),
  ].join('\n');
}
