import { Cell } from '../cell.ts';
import { numberedPartners } from '../partners/numbered-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, run, type Scenario, type Verdict } from '../scenario.ts';

const EVENTS_PER_SECOND = [1, 10, 100, 1_000];
const SUBSCRIPTIONS = [1, 3, 10];
const SERVICES = 200;
/** Events per rate, and the least number of seconds: at a high rate, pollers are added for some seconds. */
const EVENTS = 300;
const LEAST_MS = 5_000;
const WARM_UP_MS = 8_000;
/** Higher rates would measure saturation, not batches. */
const MAX_MESSAGES_PER_SECOND = 3_000;

/**
 * How many records share a batch, which decides the price. `npm run ops -- cost` has its figures from here.
 */
export const rates: Scenario = {
  name: 'rates',
  shows: '1 to 1,000 events a second for 200 services with 1, 3 or 10 subscriptions each, all healthy',
  async run(size, tell) {
    const runs = [];
    const verdicts: Verdict[] = [];
    for (const subscriptions of SUBSCRIPTIONS) {
      const sources = Array.from({ length: SERVICES }, (_, index) => ({
        serviceId: `service${index}`,
        groups: Array.from({ length: subscriptions }, () => 'healthy'),
      }));
      const partners = sources.flatMap(({ serviceId }) =>
        numberedPartners(subscriptions, (index) => ({
          serviceId,
          subscriptionId: `sub_${serviceId}_${index}`,
        })),
      );
      for (const perSecond of EVENTS_PER_SECOND) {
        if (perSecond * subscriptions > MAX_MESSAGES_PER_SECOND) {
          continue;
        }
        const tellingMs = size * (WARM_UP_MS + Math.max(LEAST_MS, (1_000 * EVENTS) / perSecond));
        const cell = new Cell(partners);
        const outcome = await run(`${perSecond} events/s for ${subscriptions} each`, cell, tell, async () => {
          new Publisher(cell).keepTelling(sources, perSecond, tellingMs);
          await cell.runUntil(size * WARM_UP_MS);
          for (const mapping of Object.values(cell.mappings)) {
            mapping.forget();
          }
          await cell.runUntil(tellingMs + 10_000);
        });
        runs.push(outcome);
        verdicts.push(allDelivered(outcome, 'healthy'), ...always(cell));
      }
    }
    return { runs, verdicts, remarks: [] };
  },
};
