import { Cell, type Partner } from '../cell.ts';
import { allWell } from '../partners/healthy-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, SLOW, unchanged, WELL } from '../scenario.ts';

const SUBSCRIPTIONS = 1_000;
const EVENTS_PER_SECOND = 1_000;
const TELLING_MS = 90_000;
const CONTROL_MS = 40_000;
const RUNNING_MS = 150_000;
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
    const partners = Array.from({ length: count }, (_, index): Partner => {
      const group = index < count / 100 ? 'dead' : index < (6 * count) / 100 ? 'slow' : 'healthy';
      return {
        serviceId: `service${index}`,
        subscriptionId: `sub_${index}`,
        group,
        endpoint: group === 'dead' ? DEAD : { kind: 'answering', takes: group === 'slow' ? SLOW : WELL },
      };
    });
    const tellAll = (cell: Cell, untilMs: number) =>
      new Publisher(cell).keepTelling(
        cell.partners.map(({ serviceId, group }) => ({ serviceId, groups: [group] })),
        perSecond,
        untilMs,
      );

    const well = new Cell(allWell(partners));
    const control = await run('all healthy', well, tell, async () => {
      tellAll(well, CONTROL_MS);
      await well.runUntil(CONTROL_MS + 10_000);
    });
    const cell = new Cell(partners);
    const outcome = await run('1 % dead, 5 % slow', cell, tell, async () => {
      tellAll(cell, TELLING_MS);
      await cell.runUntil(RUNNING_MS);
    });
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
