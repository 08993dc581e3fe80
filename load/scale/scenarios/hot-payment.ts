import { Cell, type Partner } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher, publishFor } from '../partners/traffic.ts';
import type { RunOutcome } from '../report/outcome-of-run.ts';
import { allDelivered, always, HEALTHY, run, type Scenario, unchanged } from '../scenario.ts';

const EACH_MS = 20;
const HOT_MS = 60_000;
const OTHERS = 200;
const EVENTS_PER_SECOND = 200;
const TELLING_MS = 90_000;
const LONGEST_MS = 3_600_000;

export const hotPayment: Scenario = {
  name: 'hot-payment',
  shows: 'one payment gets 50 events a second for a minute; its endpoint responds in 200 ms',
  async run(size, tell) {
    const events = Math.round((HOT_MS / EACH_MS) * size);
    const healthy = numberedPartners(OTHERS);
    const sources = sourcesOf(healthy);
    const perSecond = EVENTS_PER_SECOND * size;
    const control = await run('without it', new Cell(healthy), tell, (cell) =>
      publishFor(cell, sources, { perSecond, tellingMs: TELLING_MS }),
    );

    const hot: Partner = {
      serviceId: 'bakery',
      subscriptionId: 'sub_hot',
      group: 'hot',
      endpoint: HEALTHY,
    };
    const cell = new Cell([...healthy, hot]);
    const observed = cell.observations.of('hot');
    let doneMs = 0;
    const outcome = await run('with it', cell, tell, async () => {
      const publisher = new Publisher(cell);
      publisher.keepTelling(sources, perSecond, TELLING_MS);
      for (let position = 1; position <= events; position += 1) {
        cell.clock.at(cell.startedAtMs + position * EACH_MS, () =>
          publisher.publishOf('bakery', ['hot'], 'pay-hot-0', position),
        );
      }
      doneMs = await cell.runUntilIt(() => observed.delivered === events, LONGEST_MS);
      await cell.runUntil(Math.max(doneMs + 10_000, TELLING_MS + 10_000));
    });
    return {
      runs: [control, outcome],
      verdicts: [
        unchanged(control, outcome),
        allDelivered(outcome, 'healthy'),
        allDelivered(outcome, 'hot'),
        ...always(cell),
      ],
      remarks: [
        partitionsOf(outcome),
        `Its ${events} events came within ${Math.round((events * EACH_MS) / 1_000)} s; the last one was delivered after ${Math.round(doneMs / 1_000)} s: ${(events / (doneMs / 1_000)).toFixed(1)} a second, one after another.`,
      ],
    };
  },
};

/** The history of a payment is one partition, and so is its ordering key. */
function partitionsOf({ used }: RunOutcome): string {
  const { History = 0, OrderingKeys = 0 } = used.busiestPartition;
  return `Its partition of the history took up to ${History} write units a second, that of its ordering key ${OrderingKeys}, of 1,000 possible.`;
}
