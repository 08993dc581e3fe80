import { Cell, type Partner } from '../cell.ts';
import { allWell } from '../partners/healthy-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, SLOW, unchanged, WELL } from '../scenario.ts';

const SUBSCRIPTIONS = 20;
const EVENTS_PER_SECOND = 50;
const TELLING_MS = 60_000;

export const fanOut: Scenario = {
  name: 'fan-out',
  shows:
    'a service with 20 subscriptions and 50 events a second, each of which becomes 20 messages; one endpoint is dead, one slow',
  async run(size, tell) {
    const partners = Array.from({ length: SUBSCRIPTIONS }, (_, index): Partner => {
      const group = index === 0 ? 'dead' : index === 1 ? 'slow' : 'healthy';
      return {
        serviceId: 'bakery',
        subscriptionId: `sub_${index}`,
        group,
        endpoint: group === 'dead' ? DEAD : { kind: 'answering', takes: group === 'slow' ? SLOW : WELL },
      };
    });
    const perSecond = Math.max(2, EVENTS_PER_SECOND * size);
    const telling = async (cell: Cell) => {
      const groups = cell.partners.map(({ group }) => group);
      new Publisher(cell).keepTelling([{ serviceId: 'bakery', groups }], perSecond, TELLING_MS);
      await cell.runUntil(TELLING_MS + 20_000);
    };
    const well = new Cell(allWell(partners));
    const control = await run('all healthy', well, tell, () => telling(well));
    const cell = new Cell(partners);
    const outcome = await run('one dead, one slow', cell, tell, () => telling(cell));
    return {
      runs: [control, outcome],
      verdicts: [unchanged(control, outcome), allDelivered(outcome, 'healthy'), ...always(cell)],
      remarks: [],
    };
  },
};
