import { Cell } from '../cell.ts';
import { allWell, numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, SLOW, unchanged } from '../scenario.ts';

const SUBSCRIPTIONS = 1_000;
const EVENTS_PER_SECOND = 1_000;
const TELLING_MS = 90_000;
const CONTROL_MS = 40_000;
const SETTLING_MS = 60_000;
/**
 * A new payment every three seconds, until twenty have failed, each after its timeout, some more than once.
 */
const MAX_ATTEMPTS_EACH = 60;

export const crowd: Scenario = {
  name: 'crowd',
  shows: '1,000 events a second over 1,000 subscriptions, of which 1 % never respond and 5 % are slow',
  async run(size, tell) {
    const count = Math.max(20, Math.round(SUBSCRIPTIONS * size));
    const perSecond = EVENTS_PER_SECOND * size;
    const partners = numberedPartners(count, (index) =>
      index < count / 100
        ? { group: 'dead', endpoint: DEAD }
        : index < (6 * count) / 100
          ? { group: 'slow', endpoint: SLOW }
          : {},
    );
    const control = await run('all healthy', new Cell(allWell(partners)), tell, (cell) =>
      publishFor(cell, sourcesOf(cell.partners), { perSecond, tellingMs: CONTROL_MS }),
    );
    const cell = new Cell(partners);
    const outcome = await run('1 % dead, 5 % slow', cell, tell, () =>
      publishFor(cell, sourcesOf(partners), { perSecond, tellingMs: TELLING_MS, settlingMs: SETTLING_MS }),
    );
    const dead = outcome.groups.dead!;
    const deadOnes = partners.filter(({ group }) => group === 'dead').length;
    const each = (dead.attempts - dead.probes) / deadOnes;
    return {
      runs: [control, outcome],
      verdicts: [
        unchanged(control, outcome),
        allDelivered(outcome, 'healthy'),
        {
          promise: 'a dead endpoint costs only what was under way, and probes',
          kept: each <= MAX_ATTEMPTS_EACH,
          because: `${each.toFixed(1)} attempts and ${(dead.probes / deadOnes).toFixed(1)} probes each`,
        },
        ...always(cell),
      ],
      remarks: [],
    };
  },
};
