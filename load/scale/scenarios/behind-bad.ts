import { layBacklog, numberInBacklog, openCircuit } from '../backlog.ts';
import { Cell, type Partner } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import { allDelivered, always, run, type Scenario, WELL } from '../scenario.ts';

const PAYMENTS = 250_000;
const EVENTS_EACH = 4;
/** The oldest ones, all in one block. */
const BAD_SHARE = 0.4;
const OTHERS = 200;
const EVENTS_PER_SECOND = 200;
const FIRST_PROBE_MS = 5_000;
const COOL_DOWN_MS = 10_000;
/** As the simulation's promise says: three rounds of probes may miss it, each after a longer cool-down. */
const REACHED_MS = FIRST_PROBE_MS + 3 * 1.25 * COOL_DOWN_MS;
const LONGEST_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

export const behindBad: Scenario = {
  name: 'behind-bad',
  shows: 'a million messages wait, and the endpoint fails for the 100,000 oldest of 250,000 payments',
  async run(size, tell) {
    const payments = Math.round(PAYMENTS * size);
    const bad = Math.round(BAD_SHARE * payments);
    const healthy = numberedPartners(OTHERS);
    const perSecond = EVENTS_PER_SECOND * Math.min(1, 10 * size);
    const start = new Cell(healthy).startedAtMs;
    const picky: Partner = {
      serviceId: 'bakery',
      subscriptionId: 'sub_picky',
      group: 'picky',
      endpoint: {
        kind: 'answering',
        takes: WELL,
        bad: (paymentId) => (numberInBacklog(paymentId) ?? bad) < bad,
      },
      circuit: openCircuit(start + FIRST_PROBE_MS, COOL_DOWN_MS),
    };
    const cell = new Cell([...healthy, picky]);
    layBacklog(cell, picky, { payments, eventsEach: EVENTS_EACH });
    const observed = cell.observations.of('picky');
    let firstMs = LONGEST_MS;
    let afterMinute = 0;
    const outcome = await run('behind bad ones', cell, tell, async () => {
      const publisher = new Publisher(cell);
      publisher.keepTelling(sourcesOf(healthy), perSecond, LONGEST_MS + 2 * MINUTE_MS);
      firstMs = await cell.runUntilIt(() => observed.delivered > 0, LONGEST_MS);
      await cell.runUntil(firstMs + MINUTE_MS);
      afterMinute = observed.delivered;
      publisher.stop();
      await cell.runUntil(firstMs + MINUTE_MS + 5_000);
    });
    return {
      runs: [outcome],
      verdicts: [
        {
          promise: 'the first healthy payment is reached within three rounds of probes',
          kept: observed.delivered > 0 && firstMs <= REACHED_MS,
          because:
            observed.delivered > 0
              ? `after ${Math.round(firstMs / 1_000)} s and ${observed.probes} probes`
              : `none in ${LONGEST_MS / 1_000} s and ${observed.probes} probes`,
        },
        allDelivered(outcome, 'healthy'),
        ...always(cell, payments * EVENTS_EACH),
      ],
      remarks: [`In the minute after that, ${afterMinute} messages were delivered.`],
    };
  },
};
