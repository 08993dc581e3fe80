import { STAGES } from '../../../../lib/stages.ts';
import { Cell, type Partner } from '../cell.ts';
import { allWell } from '../partners/healthy-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, unchanged, WELL } from '../scenario.ts';

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
    const partners = Array.from({ length: SUBSCRIPTIONS }, (_, index): Partner => {
      const isWell = index === 0;
      return {
        serviceId: `service${index}`,
        subscriptionId: `sub_${index}`,
        group: isWell ? 'healthy' : 'dead',
        endpoint: isWell ? { kind: 'answering', takes: WELL } : DEAD,
      };
    });
    const telling = async (cell: Cell) => {
      const sources = cell.partners.map(({ serviceId, group }) => ({ serviceId, groups: [group] }));
      const publisher = new Publisher(cell, EVENTS_OF_A_PAYMENT);
      publisher.keepTelling(sources, EVENTS_PER_SECOND * size, TELLING_MS);
      await cell.runUntil(TELLING_MS + 20_000);
    };
    const well = new Cell(allWell(partners));
    const control = await run('all healthy', well, tell, () => telling(well));
    const cell = new Cell(partners);
    const outcome = await run('nine of ten hang', cell, tell, () => telling(cell));
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
