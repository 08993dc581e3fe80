import type { ChangeView } from '../../functions/core/change.ts';
import { textTable } from '../../operate/text-table.ts';
import type { Command } from '../command.ts';

export const changes: Command = {
  name: 'changes',
  takes: [],
  summary: 'Who has changed what of your service, newest first',
  options: { limit: { value: 'N', help: 'so many at most, 1 to 100 (default: 20)' } },
  async run(given, { api, print }) {
    const answer = (await api('GET', '/changes', { query: { limit: given.text('limit') } })) as {
      changes: ChangeView[];
    };
    const rows = answer.changes.map(
      ({ at, token_id, operation, subscription_id, message_id, changed = {} }) => [
        at,
        token_id,
        operation,
        message_id ?? subscription_id ?? '',
        Object.entries(changed)
          .map(([name, { from, to }]) => `${name}: ${valueText(from)} -> ${valueText(to)}`)
          .join('; '),
      ],
    );
    const titles = ['at', 'token', 'operation', 'of', 'changed'];
    print(
      rows.length === 0 ? 'Nothing has been changed yet.' : textTable([titles, ...rows]).join('\n'),
      answer,
    );
    return true;
  },
};

function valueText(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
