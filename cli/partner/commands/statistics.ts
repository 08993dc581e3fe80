import type { Period } from '../../../functions/core/statistics/statistics.ts';
import { textTable } from '../../terminal/terminal.ts';
import { ID, partnerCommand } from '../partner-command.ts';

export interface Statistics {
  readonly periods: readonly Period[];
  readonly waiting: {
    readonly count: number;
    readonly is_more: boolean;
    readonly oldest_admitted_at?: string;
  };
}

export const statistics = partnerCommand({
  name: 'statistics',
  arguments: { subscription: ID },
  summary: 'Show what happened, by hour or day, and how much waits now',
  example: 'sub_2cXj1x8 --by day',
  remarks:
    'Each delivery and each failure counts in the hour in which it happened: a message that failed at ten and was delivered at\neleven counts in both.',
  options: { by: { value: 'PERIOD', help: 'hour or day (default: hour)' } },
  async run(given, { api, print }) {
    const answer = (await api('GET', `/subscriptions/${given.subscription}/statistics`, {
      query: { by: given.by },
    })) as Statistics;
    print(textOf(answer), answer);
    return true;
  },
});

function textOf({ periods, waiting }: Statistics): string {
  const rows = periods
    .map(({ since, delivered, failed_attempts, exhausted, cancelled, ...times }) => ({
      since,
      figures: [delivered, failed_attempts, exhausted, cancelled],
      times: [times.time_to_send_p95_ms, times.time_to_acknowledge_p95_ms],
    }))
    .filter(({ figures }) => figures.some((figure) => figure > 0))
    .map(({ since, figures, times }) => [
      since,
      ...figures.map(String),
      ...times.map((p95) => (p95 === undefined ? '' : `${p95} ms`)),
    ]);
  const titles = [
    ...['since', 'delivered', 'failed attempts', 'given up', 'cancelled'],
    ...['time to send with ordering wait, p95', 'time to acknowledge, p95'],
  ];
  const { count, is_more, oldest_admitted_at: oldest } = waiting;
  const since = oldest === undefined ? '' : `, the oldest admitted at ${oldest}`;
  return [
    ...(rows.length === 0 ? ['Nothing has happened in this time.'] : textTable([titles, ...rows])),
    `Waiting now: ${is_more ? 'more than ' : ''}${count}${since}.`,
  ].join('\n');
}
