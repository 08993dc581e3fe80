import { Cell, type Partner } from '../cell.ts';
import type { Endpoint } from '../partners/endpoints.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, HEALTHY, named, run, type Scenario, unchanged, WELL } from '../scenario.ts';

const OTHERS = 100;
const OTHERS_PER_SECOND = 100;
const TELLING_MS = 40_000;
const LONGEST_MS = 600_000;
const DOWN = { fromMs: 10_000, untilMs: 30_000 };
/** What a partition of an index takes. */
const UNITS_PER_SECOND = 1_000;

interface Case {
  readonly name: string;
  /** Events for the hot subscription. */
  readonly perSecond: number;
  readonly endpoint: (startedAtMs: number) => Endpoint;
  /** More than a partition takes: it is said what becomes of the others, and nothing promised of it. */
  readonly isBeyond?: boolean;
}

const CASES: readonly Case[] = [
  { name: 'nine of ten, 900/s', perSecond: 900, endpoint: () => HEALTHY },
  { name: 'beyond, 1,100/s', perSecond: 1_100, endpoint: () => HEALTHY, isBeyond: true },
  {
    name: 'down for 20 s, 300/s',
    perSecond: 300,
    endpoint: (at) => ({
      kind: 'answering',
      takes: WELL,
      down: { fromMs: at + DOWN.fromMs, untilMs: at + DOWN.untilMs },
    }),
  },
];

export const hotSubscription: Scenario = {
  name: 'hot-subscription',
  shows: `one subscription gets 300 to 1,100 events a second, beside ${OTHERS} others with ${OTHERS_PER_SECOND} together`,
  async run(size, tell) {
    const others = numberedPartners(OTHERS);
    const publishing = (cell: Cell) => {
      const publisher = new Publisher(cell);
      publisher.keepTelling(sourcesOf(others), OTHERS_PER_SECOND * size, 2 * TELLING_MS);
      return publisher;
    };
    const control = await run('without it', new Cell(others), tell, async (cell) => {
      publishing(cell);
      await cell.runUntil(2 * TELLING_MS + 10_000);
    });
    const runs = [control];
    const verdicts = [];
    const remarks = [];
    for (const { name, perSecond, endpoint, isBeyond } of CASES) {
      const hot: Partner = {
        serviceId: 'bakery',
        subscriptionId: 'sub_hot',
        group: 'hot',
        endpoint: endpoint(new Cell([]).startedAtMs),
      };
      const cell = new Cell([...others, hot]);
      const observed = cell.observations.of('hot');
      let doneMs = 0;
      const outcome = await run(name, cell, tell, async () => {
        publishing(cell).keepTelling(sourcesOf([hot]), perSecond * size, TELLING_MS);
        await cell.runUntil(TELLING_MS);
        doneMs = await cell.runUntilIt(() => observed.delivered === observed.published, LONGEST_MS);
        await cell.runUntil(Math.max(doneMs, 2 * TELLING_MS) + 10_000);
      });
      runs.push(outcome);
      const [busiest = '', units = 0] =
        Object.entries(outcome.used.busiestPartition).sort(([, one], [, other]) => other - one)[0] ?? [];
      verdicts.push(
        ...named(name, [
          ...(isBeyond
            ? []
            : [
                unchanged(control, outcome),
                {
                  promise: 'no partition is full',
                  kept: Math.max(0, ...Object.values(outcome.used.throttledMs)) === 0,
                  because: `${busiest} took ${units} write units in its busiest second, of ${UNITS_PER_SECOND}`,
                },
              ]),
          allDelivered(outcome, 'healthy'),
          allDelivered(outcome, 'hot'),
          ...always(cell),
        ]),
      );
      const waitedMs = Math.max(0, ...Object.values(outcome.used.throttledMs));
      remarks.push(
        `${name}: all was delivered ${Math.round((doneMs - TELLING_MS) / 1_000)} s after the last event; ${busiest} took up to ${units} write units a second, and a write waited up to ${waitedMs} ms for it.`,
      );
    }
    return { runs, verdicts, remarks };
  },
};
