import { Cell } from '../cell.ts';
import { allWell, numberedPartners } from '../partners/numbered-partners.ts';
import { publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, SLOW, unchanged } from '../scenario.ts';

const SUBSCRIPTIONS = 20;
const EVENTS_PER_SECOND = 50;
const TELLING_MS = 60_000;

export const fanOut: Scenario = {
  name: 'fan-out',
  shows:
    'a service with 20 subscriptions and 50 events a second, each of which becomes 20 messages; one endpoint is dead, one slow',
  async run(size, tell) {
    const special = [
      { group: 'dead', endpoint: DEAD },
      { group: 'slow', endpoint: SLOW },
    ];
    const partners = numberedPartners(SUBSCRIPTIONS, (index) => ({ serviceId: 'bakery', ...special[index] }));
    const telling = (cell: Cell) => {
      const groups = cell.partners.map(({ group }) => group);
      return publishFor(cell, [{ serviceId: 'bakery', groups }], {
        perSecond: Math.max(2, EVENTS_PER_SECOND * size),
        tellingMs: TELLING_MS,
        settlingMs: 20_000,
      });
    };
    const control = await run('all healthy', new Cell(allWell(partners)), tell, telling);
    const cell = new Cell(partners);
    const outcome = await run('one dead, one slow', cell, tell, telling);
    return {
      runs: [control, outcome],
      verdicts: [unchanged(control, outcome), allDelivered(outcome, 'healthy'), ...always(cell)],
      remarks: [],
    };
  },
};
