import { textTable } from '../../operate/text-table.ts';
import type { Command } from '../command.ts';

interface Statistics {
  readonly periods: readonly {
    readonly since: string;
    readonly delivered: number;
    readonly failed_attempts: number;
    readonly exhausted: number;
    readonly cancelled: number;
  }[];
  readonly waiting: { readonly count: number; readonly is_more: boolean };
  readonly oldest_waiting_admitted_at?: string;
}

export const statistics: Command = {
  name: 'statistics',
  takes: ['subscription'],
  summary: 'How much was delivered, failed and waits, by hour or day',
  options: { by: { value: 'PERIOD', help: 'hour or day (default: hour)' } },
  async run(given, { api, print }) {
    const answer = (await api('GET', `/subscriptions/${given.named.subscription}/statistics`, {
      query: { by: given.text('by') },
    })) as Statistics;
    print(textOf(answer), answer);
    return true;
  },
};

function textOf({ periods, waiting, oldest_waiting_admitted_at: oldest }: Statistics): string {
  const busy = periods.filter(
    ({ delivered, failed_attempts, exhausted, cancelled }) =>
      delivered + failed_attempts + exhausted + cancelled > 0,
  );
  const rows = busy.map(({ since, delivered, failed_attempts, exhausted, cancelled }) =>
    [since, delivered, failed_attempts, exhausted, cancelled].map(String),
  );
  const titles = ['since', 'delivered', 'failed attempts', 'given up', 'cancelled'];
  const now = `Waiting now: ${waiting.is_more ? 'more than ' : ''}${waiting.count}${oldest === undefined ? '' : `, the oldest admitted at ${oldest}`}.`;
  return [
    ...(rows.length === 0 ? ['Nothing has happened in this time.'] : textTable([titles, ...rows])),
    now,
  ].join('\n');
}
