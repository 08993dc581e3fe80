import { layBacklog, openCircuit } from '../backlog.ts';
import { Cell, type Partner } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher, publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, run, type Scenario, unchanged } from '../scenario.ts';

const PAYMENTS = 250_000;
const EVENTS_EACH = 4;
const OTHERS = 200;
const EVENTS_PER_SECOND = 200;
/** For the dead endpoint, so that its backlog keeps growing. */
const MORE_PER_SECOND = 10;
const FIRST_PROBE_MS = 5_000;
const DEAD_MS = 80_000;
const COOL_DOWN_MS = 10_000;
const MINUTE_MS = 60_000;
const CONTROL_MS = 60_000;

export const million: Scenario = {
  name: 'million',
  shows:
    'a million messages wait for one dead endpoint, beside healthy ones; then the first minute of its drain',
  async run(size, tell) {
    const payments = Math.round(PAYMENTS * size);
    const healthy = numberedPartners(OTHERS);
    const sources = sourcesOf(healthy);
    const perSecond = EVENTS_PER_SECOND * Math.min(1, 10 * size);

    const well = new Cell(healthy);
    const control = await run('without it', well, tell, () =>
      publishFor(well, sources, { perSecond, tellingMs: CONTROL_MS }),
    );

    const start = well.startedAtMs;
    const dead: Partner = {
      serviceId: 'bakery',
      subscriptionId: 'sub_dead',
      group: 'dead',
      endpoint: { ...DEAD, untilMs: start + DEAD_MS },
      circuit: openCircuit(start + FIRST_PROBE_MS, COOL_DOWN_MS),
    };
    const cell = new Cell([...healthy, dead]);
    layBacklog(cell, dead, { payments, eventsEach: EVENTS_EACH });
    const publisher = new Publisher(cell);
    const observed = cell.observations.of('dead');
    let tried = { attempts: 0, probes: 0 };
    const waiting = await run('while it is dead', cell, tell, async () => {
      publisher.keepTelling(sources, perSecond, DEAD_MS + 4 * MINUTE_MS);
      publisher.keepTelling([{ serviceId: 'bakery', groups: ['dead'] }], MORE_PER_SECOND, DEAD_MS);
      await cell.runUntil(DEAD_MS);
      tried = { ...observed };
    });
    let drained = 0;
    const draining = await run('and the first minute of its drain', cell, tell, async () => {
      const backMs = await cell.runUntilIt(() => observed.delivered > 0, DEAD_MS + 2 * MINUTE_MS);
      await cell.runUntil(backMs + MINUTE_MS);
      drained = observed.delivered;
      publisher.stop();
      // For what the others have under way.
      await cell.runUntil(backMs + MINUTE_MS + 5_000);
    });
    const backlogUnits = draining.used.busiestPartition['OrderingKeys.backlog'] ?? 0;
    return {
      runs: [control, waiting, draining],
      verdicts: [
        unchanged(control, waiting),
        {
          promise: 'a dead endpoint costs probes',
          kept: tried.attempts === tried.probes && tried.probes > 0,
          because: `${tried.attempts} attempts, of which ${tried.probes} were probes`,
        },
        { ...unchanged(waiting, draining), promise: 'healthy endpoints do not notice the drain' },
        {
          promise: 'drained at twice the arrival rate or more',
          kept: drained / 60 >= 2 * MORE_PER_SECOND,
          because: `${Math.round(drained / 60)} messages a second in the first minute`,
        },
        allDelivered(draining, 'healthy'),
        ...always(cell, payments * EVENTS_EACH),
      ],
      remarks: [
        `In the first minute of its drain ${drained} messages were delivered. The partition of its backlog took ${backlogUnits} write units in its busiest second, of 1,000 possible.`,
        `At that pace a million takes ${Math.round(1_000_000 / drained)} minutes.`,
      ],
    };
  },
};
