import { percentile } from '../../statistics/percentile.ts';
import { Cell, type CellSetting } from '../cell.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher, publishFor } from '../partners/traffic.ts';
import { allDelivered, always, DEAD, named, run, type Scenario, type Verdict } from '../scenario.ts';

const PARTNERS = 200;
const WARM_UP_MS = 8_000;
const EVENTS = 2_000;
const LEAST_MS = 20_000;

const ofMatch = (rate: number): CellSetting => ({ pollers: { eventsPerSecond: rate } });
const ofBoth = (rate: number): CellSetting => ({
  pollers: { eventsPerSecond: rate, webhooksPerSecond: rate },
});
const PAIRS = [10, 25, 100, 1_000].flatMap((perSecond) => [
  { perSecond, by: 'Lambda’s', polling: {} },
  { perSecond, by: 'match’s', polling: ofMatch(perSecond) },
  { perSecond, by: 'both', polling: ofBoth(perSecond) },
]);

const HANG = { perSecond: 200, partners: 40, fromMs: 20_000, untilMs: 80_000 };
/** Until circuits are open and pollers are added. */
const BEGINNING_MS = 15_000;
const MAX_WAIT_MS = 5_000;
const AFTERWARDS = 2;

/** How many records share a batch, what that saves, and how long they wait for it. */
export const pollers: Scenario = {
  name: 'pollers',
  shows: `10 to 1,000 events a second for ${PARTNERS} endpoints, by Lambda's pollers, and provisioned ones for match or both; then ${HANG.perSecond} a second, and ${HANG.partners} begin to hang`,
  async run(size, tell) {
    const runs = [];
    const verdicts: Verdict[] = [];
    const remarks: string[] = [];
    const partners = numberedPartners(PARTNERS);
    for (const { perSecond, by, polling } of PAIRS) {
      const name = `${perSecond}/s, ${by}`;
      const tellingMs = size * (WARM_UP_MS + Math.max(LEAST_MS, (1_000 * EVENTS) / perSecond));
      const cell = new Cell(partners, polling);
      const outcome = await run(name, cell, tell, async () => {
        new Publisher(cell).keepTelling(sourcesOf(partners), perSecond, tellingMs);
        await cell.runUntil(size * WARM_UP_MS);
        for (const mapping of Object.values(cell.mappings)) {
          mapping.forget();
        }
        await cell.runUntil(tellingMs + 10_000);
      });
      runs.push(outcome);
      verdicts.push(...named(name, [allDelivered(outcome, 'healthy'), ...always(cell)]));
    }
    const hangsLater = { ...DEAD, fromMs: new Cell([]).startedAtMs + HANG.fromMs };
    const some = numberedPartners(PARTNERS, (index) =>
      index < HANG.partners ? { group: 'hanging', endpoint: hangsLater } : {},
    );
    for (const [by, polling] of [
      ['Lambda’s', {}],
      ['Lambda’s, one batch each', { oneBatchEach: true }],
      ['match’s', ofMatch(HANG.perSecond)],
      ['both', ofBoth(HANG.perSecond)],
    ] as const) {
      const cell = new Cell(some, polling);
      const name = `some hang, ${by}`;
      const outcome = await run(name, cell, tell, () =>
        publishFor(cell, sourcesOf(some), {
          perSecond: HANG.perSecond * size,
          tellingMs: HANG.untilMs,
          settlingMs: 20_000,
          eventsEach: 1,
        }),
      );
      const usual = waits(cell, 0, HANG.fromMs);
      const beginning = waits(cell, HANG.fromMs, HANG.fromMs + BEGINNING_MS);
      const then = waits(cell, HANG.fromMs + BEGINNING_MS, HANG.untilMs);
      runs.push(outcome);
      remarks.push(
        `${name}: healthy endpoints wait ${usual.p99} ms (p99), in the first ${BEGINNING_MS / 1_000} s ${beginning.p99} ms, for ${beginning.lateS} s of them over a second, and ${then.p99} ms after that.`,
      );
      verdicts.push(
        ...named(name, [
          allDelivered(outcome, 'healthy'),
          ...always(cell),
          ...('oneBatchEach' in polling
            ? []
            : [
                {
                  promise: `healthy endpoints wait ${MAX_WAIT_MS / 1_000} s at most, and soon p99 is within ${AFTERWARDS} times of usual`,
                  kept: beginning.max <= MAX_WAIT_MS && then.p99 <= AFTERWARDS * usual.p99,
                  because: `up to ${beginning.max} ms, then ${then.p99} ms (p99)`,
                },
              ]),
        ]),
      );
    }
    return { runs, verdicts, remarks };
  },
};

/** Times to send of healthy endpoints, in ms, for events of a span, in ms from the start. */
function waits({ observations, startedAtMs }: Cell, fromMs: number, untilMs: number) {
  const { timesToSend, admittedAtMs } = observations.of('healthy');
  const inSpan = timesToSend.flatMap((ms, index) => {
    const atMs = (admittedAtMs[index] ?? 0) - startedAtMs;
    return atMs >= fromMs && atMs < untilMs ? [{ atMs, ms }] : [];
  });
  const times = inSpan.map(({ ms }) => ms);
  const late = inSpan.filter(({ ms }) => ms > 1_000).map(({ atMs }) => Math.floor(atMs / 1_000));
  return { p99: percentile(times, 99), max: Math.max(0, ...times), lateS: new Set(late).size };
}
