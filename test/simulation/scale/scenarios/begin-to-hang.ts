import { percentile } from '../../../../load/statistics/percentile.ts';
import { Cell, type Partner } from '../cell.ts';
import { allWell } from '../partners/healthy-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, notMuchLater, run, type Scenario, type Verdict, WELL } from '../scenario.ts';

const SUBSCRIPTIONS = 200;
const EVENTS_PER_SECOND = 200;
const EVENTS_OF_A_PAYMENT = 1;
const HANGING = [40, 100];
const TELLING_MS = 90_000;
const HANG_FROM_MS = 30_000;
const FIRST_MS = 10_000;
/** For the first ten seconds, and after that. */
const WITHIN = { first: 2, after: 1.2 };

/** p99 of time to send of healthy endpoints, for events of a span, in ms from the start. */
function p99(cell: Cell, fromMs: number, untilMs: number): { ms: number; attempts: number } {
  const { timesToSend, admittedAtMs } = cell.observations.of('healthy');
  const times = timesToSend.filter((_, index) => {
    const atMs = (admittedAtMs[index] ?? 0) - cell.startedAtMs;
    return atMs >= fromMs && atMs < untilMs;
  });
  return { ms: percentile(times, 99), attempts: times.length };
}

export const beginToHang: Scenario = {
  name: 'begin-to-hang',
  shows: '200 events a second for 200 endpoints, of which 40 or 100 begin to hang at the same moment',
  async run(size, tell) {
    const count = Math.max(10, Math.round(SUBSCRIPTIONS * size));
    const partnersWith = (hanging: number) =>
      Array.from({ length: count }, (_, index): Partner => {
        const hangs = index < hanging * (count / SUBSCRIPTIONS);
        return {
          serviceId: `service${index}`,
          subscriptionId: `sub_${index}`,
          group: hangs ? 'hanging' : 'healthy',
          endpoint: hangs
            ? {
                kind: 'dead',
                fromMs: new Cell([]).startedAtMs + HANG_FROM_MS,
                untilMs: Number.POSITIVE_INFINITY,
                takes: WELL,
              }
            : { kind: 'answering', takes: WELL },
        };
      });
    const telling = async (cell: Cell) => {
      const sources = cell.partners.map(({ serviceId, group }) => ({ serviceId, groups: [group] }));
      const publisher = new Publisher(cell, EVENTS_OF_A_PAYMENT);
      publisher.keepTelling(sources, EVENTS_PER_SECOND * size, TELLING_MS);
      await cell.runUntil(TELLING_MS + 10_000);
    };
    const well = new Cell(allWell(partnersWith(0)));
    const control = await run('all healthy', well, tell, () => telling(well));
    const usual = p99(well, 0, TELLING_MS);
    const runs = [control];
    const verdicts: Verdict[] = [];
    for (const hanging of HANGING) {
      const cell = new Cell(partnersWith(hanging));
      const outcome = await run(`${hanging} of 200 begin to hang`, cell, tell, () => telling(cell));
      runs.push(outcome);
      const first = p99(cell, HANG_FROM_MS, HANG_FROM_MS + FIRST_MS);
      const after = p99(cell, HANG_FROM_MS + FIRST_MS, TELLING_MS);
      verdicts.push(
        notMuchLater(`${hanging}: p99 of healthy endpoints in the first ten seconds`, {
          ...first,
          times: WITHIN.first,
          usualMs: usual.ms,
        }),
        notMuchLater(`${hanging}: p99 of healthy endpoints after that`, {
          ...after,
          times: WITHIN.after,
          usualMs: usual.ms,
        }),
        allDelivered(outcome, 'healthy'),
        ...always(cell),
      );
    }
    return { runs, verdicts, remarks: [] };
  },
};
