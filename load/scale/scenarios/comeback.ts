import { layBacklog, openCircuit } from '../backlog.ts';
import { Cell } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher, publishFor } from '../partners/traffic.ts';
import { allDelivered, always, run, type Scenario, unchanged } from '../scenario.ts';

const BACK = 100;
const PAYMENTS = 500;
const EVENTS_EACH = 2;
const OTHERS = 500;
const EVENTS_PER_SECOND = 500;
const PROBE_MS = 5_000;
const TELLING_MS = 60_000;
const LONGEST_MS = 600_000;

export const comeback: Scenario = {
  name: 'comeback',
  shows: '100 endpoints recover at the same instant, with a backlog of a thousand messages each',
  async run(size, tell) {
    const back = Math.max(2, Math.round(BACK * size));
    const healthy = numberedPartners(OTHERS);
    const sources = sourcesOf(healthy);
    const perSecond = EVENTS_PER_SECOND * size;
    const well = new Cell(healthy);
    const control = await run('without them', well, tell, () =>
      publishFor(well, sources, { perSecond, tellingMs: TELLING_MS }),
    );

    const returning = numberedPartners(back, (index) => ({
      serviceId: `returning${index}`,
      subscriptionId: `sub_back_${index}`,
      group: 'returning',
      circuit: openCircuit(well.startedAtMs + PROBE_MS, 10_000),
    }));
    const cell = new Cell([...healthy, ...returning]);
    for (const one of returning) {
      layBacklog(cell, one, { payments: PAYMENTS, eventsEach: EVENTS_EACH });
    }
    const backlog = back * PAYMENTS * EVENTS_EACH;
    const observed = cell.observations.of('returning');
    let drainedMs = 0;
    const outcome = await run('with them', cell, tell, async () => {
      new Publisher(cell).keepTelling(sources, perSecond, TELLING_MS);
      const allMs = await cell.runUntilIt(() => observed.delivered === backlog, LONGEST_MS);
      drainedMs = allMs - PROBE_MS;
      await cell.runUntil(Math.max(allMs + 10_000, TELLING_MS + 10_000));
    });
    return {
      runs: [control, outcome],
      verdicts: [
        allDelivered(outcome, 'returning', backlog),
        allDelivered(outcome, 'healthy'),
        unchanged(control, outcome),
        ...always(cell, backlog),
      ],
      remarks: [
        `All ${backlog} messages were delivered ${(drainedMs / 1_000).toFixed(1)} s after the first probes: ${Math.round(backlog / (drainedMs / 1_000))} a second.`,
      ],
    };
  },
};
