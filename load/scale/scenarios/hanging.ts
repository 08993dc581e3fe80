import { STAGES } from '../../../payhooks.config.ts';
import { Cell } from '../cell.ts';
import { allWell, numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, unchanged } from '../scenario.ts';

const SUBSCRIPTIONS = 10;
const EVENTS_PER_SECOND = 100;
/** A hanging message holds up its payment, so events of different payments cost the most. */
const EVENTS_OF_A_PAYMENT = 1;
/** Long enough that the p99 of the healthy endpoint rests on some twenty messages. */
const TELLING_MS = 240_000;
/** At ten a second: until five payments have hung for three seconds, and a few of a drain. */
const MAX_ATTEMPTS_EACH = 60;

export const hanging: Scenario = {
  name: 'hanging',
  shows: '100 events a second, each of a new payment, for ten endpoints, nine of which never respond',
  async run(size, tell) {
    const partners = numberedPartners(SUBSCRIPTIONS, (index) =>
      index === 0 ? {} : { group: 'dead', endpoint: DEAD },
    );
    const telling = (cell: Cell) =>
      publishFor(cell, sourcesOf(cell.partners), {
        perSecond: EVENTS_PER_SECOND * size,
        tellingMs: TELLING_MS,
        settlingMs: 20_000,
        eventsEach: EVENTS_OF_A_PAYMENT,
      });
    const control = await run('all healthy', new Cell(allWell(partners)), tell, telling);
    const cell = new Cell(partners);
    const outcome = await run('nine of ten hang', cell, tell, telling);
    const dead = outcome.groups.dead!;
    const each = (dead.attempts - dead.probes) / (SUBSCRIPTIONS - 1);
    const workers = outcome.most_workers.deliver;
    const { deliver: allWorkers } = STAGES.prod.concurrency;
    return {
      runs: [control, outcome],
      verdicts: [
        unchanged(control, outcome),
        allDelivered(outcome, 'healthy'),
        {
          promise: 'a hanging endpoint costs only what came until its circuit opened, and probes',
          kept: each <= MAX_ATTEMPTS_EACH * Math.max(1, size),
          because: `${each.toFixed(1)} attempts and ${(dead.probes / (SUBSCRIPTIONS - 1)).toFixed(1)} probes each`,
        },
        {
          promise: 'workers are left for healthy endpoints',
          kept: workers < allWorkers,
          because: `${workers} of ${allWorkers} were busy at most`,
        },
        ...always(cell),
      ],
      remarks: [],
    };
  },
};
