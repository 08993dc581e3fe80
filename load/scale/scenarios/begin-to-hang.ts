import { percentile } from '../../statistics/percentile.ts';
import { Cell } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, notMuchLater, run, type Scenario, type Verdict } from '../scenario.ts';

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
    const hangsLater = { ...DEAD, fromMs: new Cell([]).startedAtMs + HANG_FROM_MS };
    const partnersWith = (hanging: number) =>
      numberedPartners(count, (index) =>
        index < hanging * (count / SUBSCRIPTIONS) ? { group: 'hanging', endpoint: hangsLater } : {},
      );
    const telling = (cell: Cell) =>
      publishFor(cell, sourcesOf(cell.partners), {
        perSecond: EVENTS_PER_SECOND * size,
        tellingMs: TELLING_MS,
        eventsEach: EVENTS_OF_A_PAYMENT,
      });
    const well = new Cell(partnersWith(0));
    const control = await run('all healthy', well, tell, telling);
    const usual = p99(well, 0, TELLING_MS);
    const runs = [control];
    const verdicts: Verdict[] = [];
    for (const hanging of HANGING) {
      const cell = new Cell(partnersWith(hanging));
      const outcome = await run(`${hanging} of 200 begin to hang`, cell, tell, telling);
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
