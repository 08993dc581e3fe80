import type { ChangeView } from '../../../functions/core/api/change.ts';
import { textTable } from '../../terminal/terminal.ts';
import { partnerCommand } from '../partner-command.ts';
import { changedText } from '../text/changed-text.ts';
import { moreText } from '../text/subscription-text.ts';

export const changes = partnerCommand({
  name: 'changes',
  summary: 'Show who changed what in your service, newest first',
  example: '--limit 50',
  options: {
    limit: { value: 'N', help: 'how many at most, 1 to 100 (default: 20)' },
    cursor: { value: 'CURSOR', help: 'continue where an earlier list ended' },
  },
  async run(given, { api, print }) {
    const query = { limit: given.limit, cursor: given.cursor };
    const answer = (await api('GET', '/changes', { query })) as {
      changes: ChangeView[];
      next_cursor?: string;
    };
    const rows = answer.changes.map(
      ({ at, token_id, actor, operation, subscription_id, message_id, changed = {} }) => [
        at,
        token_id ?? actor ?? '',
        operation,
        message_id ?? subscription_id ?? '',
        changedText(changed),
      ],
    );
    const titles = ['at', 'by', 'operation', 'of', 'changed'];
    const lines = rows.length === 0 ? ['Nothing has been changed yet.'] : textTable([titles, ...rows]);
    print([...lines, ...moreText(answer.next_cursor)].join('\n'), answer);
    return true;
  },
});
