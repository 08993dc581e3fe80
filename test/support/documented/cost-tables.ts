import { type CostOptions, estimated } from '../../../cli/operator/cost/cost-command.ts';
import { money } from '../../../cli/operator/cost/cost-report.ts';
import type { Share } from '../../../cli/operator/cost/estimate.ts';
import { type Resource, resourcesOf } from '../../../cli/operator/cost/ground.ts';
import { resourcesPolled } from '../../../cli/operator/cost/parts/pollers.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { givenToOps } from '../operator-run.ts';
import { type GeneratedTable, row, table } from './tables.ts';

const DAY = 86_400;
const EVENTS_PER_DAY = {
  idle: 0,
  'one a second': DAY,
  '10 million a month': Math.round(10e6 / (365 / 12)),
  '100 a second': 100 * DAY,
  '1,000 a second': 1_000 * DAY,
};
/** The README leaves out this rate. */
const PAGE_ONLY = '10 million a month';
const POLLED_PER_SECOND = [10, 25, 100, 1_000];
const POLLED_BY = ['Lambda’s pollers', 'for match', 'for match and deliver'];

/** As the command reckons. */
export function estimateWith(args: readonly string[], resources: (stage: Stage) => readonly Resource[]) {
  return estimated(givenToOps<CostOptions>('cost', ...args), (stage) => [...resources(stage)]);
}

/** For events a day of `prod`, whose template is synthesized once. */
export function prodEstimate(resources: readonly Resource[] = resourcesOf(STAGES.prod)) {
  return (eventsPerDay: number) =>
    estimateWith(['--events-per-day', String(eventsPerDay)], (stage) => resourcesPolled(resources, stage));
}

export const together = ({ idle, traffic }: Share): number => idle + traffic;

const dollars = (amount: number) =>
  `$${amount < 1_000 ? money(amount) : Math.round(amount).toLocaleString('en')}`;

/** What docs/cost.md and the README say of `prod`. */
export function costTables(estimate: ReturnType<typeof prodEstimate>): readonly GeneratedTable[] {
  const all = Object.entries(EVENTS_PER_DAY).map(([name, perDay]) => ({ name, ...estimate(perDay) }));
  const inReadme = all.filter(({ name }) => name !== PAGE_ONLY);
  const { peers, webhooksPerMonth, perMillion } = all.find(({ name }) => name === '100 a second')!;
  const [destinations, svix] = peers.map(({ perMonth }) => dollars((perMonth / webhooksPerMonth) * 1e6));
  const cost = { page: 'docs/cost.md' };
  const readme = { page: 'README.md' };
  return [
    {
      ...cost,
      lines: table(
        [
          ...['events', 'million webhooks a month', 'in a batch', 'a month', 'for a million webhooks'],
          ...['EventBridge API destinations', 'Svix Professional'],
        ],
        all.map(({ name, webhooksPerMonth, total, perMillion, batches, peers }) => [
          name,
          (webhooksPerMonth / 1e6).toFixed(1),
          perMillion === undefined ? '' : `${batches.match.toFixed(1)}, ${batches.deliver.toFixed(1)}`,
          `**${dollars(together(total))}**`,
          perMillion === undefined ? '' : dollars(together(perMillion)),
          ...(peers.length === 0 ? ['', ''] : peers.map(({ perMonth }) => dollars(perMonth))),
        ]),
      ),
    },
    {
      ...cost,
      lines: table(
        ['a million webhooks, at', ...POLLED_BY, 'in a batch'],
        POLLED_PER_SECOND.map((perSecond) => {
          const { ways } = estimate(perSecond * DAY);
          const { match, deliver } = ways.at(-1)!.batches;
          return [
            `${perSecond.toLocaleString('en')} a second`,
            ...ways.map(({ byBus }) => dollars(byBus)),
            `${match.toFixed(1)}, ${deliver.toFixed(1)}`,
          ];
        }),
      ),
    },
    { ...readme, lines: [row('a month', ...inReadme.map(({ total }) => dollars(together(total))))] },
    {
      ...readme,
      lines: [
        row(
          'a million webhooks',
          ...inReadme.map(({ perMillion }) => (perMillion ? dollars(together(perMillion)) : '')),
        ),
      ],
    },
    {
      ...readme,
      lines: [
        row(
          '… at best: sent straight into the queue, with [provisioned pollers](docs/cost.md#provisioned-pollers) from 25 a second on',
          ...inReadme.map(({ ways }) =>
            ways.length > 0 ? dollars(Math.min(...ways.map(({ byQueue }) => byQueue))) : '',
          ),
        ),
      ],
    },
    {
      ...readme,
      lines: [
        row(
          'price of a million webhooks, at 100 a second',
          dollars(together(perMillion!)),
          `${svix} hosted; software free`,
          'software free',
          `**${destinations}**`,
        ),
      ],
    },
  ];
}
