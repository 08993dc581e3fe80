import { percentile } from '../../statistics/percentile.ts';
import { Cell, type Partner } from '../cell.ts';
import type { Endpoint } from '../partners/endpoints.ts';
import { Publisher } from '../partners/traffic.ts';
import { always, run, type Scenario, type Verdict } from '../scenario.ts';

const PER_SECOND = 20;
const OUTAGE_MS = 20_000;
const TELLING_MS = 110_000;
const LAST_MS = 10_000;
/** The last event is under way for at most this long. */
const SETTLING_MS = 15_000;
const EVENTS_OF_A_PAYMENT = 1;
const QUICK = { p50: 50, p99: 70 };

type Answering = Extract<Endpoint, { kind: 'answering' }>;

interface Case {
  readonly name: string;
  readonly perSecond?: number;
  readonly eventsOfAPayment?: number;
  readonly endpoint: (startedAtMs: number) => Omit<Answering, 'kind'>;
  /** Twenty failures in a row have a chance of less than one in a thousand million. */
  readonly staysClosed?: boolean;
}

const down = (startedAtMs: number) => ({ untilMs: startedAtMs + OUTAGE_MS });
const CASES: readonly Case[] = [
  { name: 'refuses nobody', endpoint: (at) => ({ takes: QUICK, down: down(at) }) },
  { name: 'refuses 1 %', endpoint: (at) => ({ takes: QUICK, refuses: 0.01, down: down(at) }) },
  { name: 'refuses 5 %', endpoint: (at) => ({ takes: QUICK, refuses: 0.05, down: down(at) }) },
  { name: 'refuses 20 %', endpoint: (at) => ({ takes: QUICK, refuses: 0.2, down: down(at) }) },
  ...[
    { perSecond: 20, takes: QUICK },
    { perSecond: 100, takes: { p50: 90, p99: 99 } },
    { perSecond: 100, takes: { p50: 480, p99: 495 } },
    { perSecond: 40, takes: { p50: 480, p99: 495 } },
    { perSecond: 20, takes: { p50: 2_000, p99: 2_100 } },
  ].map(
    ({ perSecond, takes }): Case => ({
      name: `fails 30 % after ${takes.p50} ms, ${perSecond}/s`,
      perSecond,
      endpoint: () => ({ takes, fails: 0.3 }),
      staysClosed: true,
    }),
  ),
  { name: 'hangs for 5 %', endpoint: () => ({ takes: QUICK, hangs: 0.05 }) },
  {
    name: 'takes 1.6 s',
    perSecond: 5,
    endpoint: (at) => ({ takes: { p50: 1_600, p99: 1_700 }, down: { untilMs: at + 10_000 } }),
  },
  {
    name: 'takes 9 s',
    perSecond: 5,
    endpoint: (at) => ({ takes: { p50: 9_000, p99: 9_500 }, down: { untilMs: at + 10_000 } }),
  },
  {
    name: 'up 4 s, down 4 s',
    perSecond: 10,
    eventsOfAPayment: 4,
    endpoint: () => ({ takes: QUICK, down: { eachMs: 4_000 } }),
  },
  {
    name: 'up 4 s, down 4 s, 100/s',
    perSecond: 100,
    endpoint: () => ({ takes: QUICK, down: { eachMs: 4_000 } }),
  },
  { name: 'up 20 s, down 20 s', perSecond: 20, endpoint: () => ({ takes: QUICK, down: { eachMs: 20_000 } }) },
];

/** One endpoint that is neither healthy nor dead: what it gets, and how soon. */
export const refusals: Scenario = {
  name: 'refusals',
  shows: 'an endpoint that always refuses some payments, fails or hangs at random, is always slow, or flaps',
  async run(size, tell) {
    const runs = [];
    const verdicts: Verdict[] = [];
    const remarks: string[] = [];
    for (const one of CASES) {
      const { startedAtMs } = new Cell([]);
      const partner: Partner = {
        serviceId: 'service0',
        subscriptionId: 'sub_0',
        group: 'endpoint',
        endpoint: { kind: 'answering', ...one.endpoint(startedAtMs) },
      };
      const cell = new Cell([partner]);
      const opened: string[] = [];
      const outcome = await run(one.name, cell, tell, async () => {
        new Publisher(cell, one.eventsOfAPayment ?? EVENTS_OF_A_PAYMENT).keepTelling(
          [{ serviceId: 'service0', groups: ['endpoint'] }],
          (one.perSecond ?? PER_SECOND) * size,
          TELLING_MS,
        );
        for (let second = 1; second <= TELLING_MS / 1_000; second += 1) {
          await cell.runUntil(second * 1_000);
          opened.push(circuitOf(cell));
        }
        await cell.runUntil(TELLING_MS + SETTLING_MS);
      });
      runs.push(outcome);
      const { published, delivered, attempts, probes } = cell.observations.of('endpoint');
      const last = cell.observations.heldToSendOf('endpoint', startedAtMs + TELLING_MS - LAST_MS);
      const states = opened.map((state) => state[0]).join('');
      remarks.push(
        `${one.name}: ${delivered} of ${published} delivered, ${attempts} attempts, ${probes} probes; intake to first attempt in the last 10 s ${spread(last)}; circuit ${states}`,
      );
      verdicts.push(...always(cell));
      if (one.staysClosed) {
        verdicts.push({
          promise: `${one.name}: its circuit does not open`,
          kept: !opened.includes('open') && !opened.includes('half_open'),
          because: states,
        });
      }
    }
    return { runs, verdicts, remarks };
  },
};

function circuitOf(cell: Cell): string {
  const circuit = cell.surface.subscriptions.one('sub_0')?.circuit;
  return circuit === undefined
    ? 'closed'
    : circuit.state === 'draining'
      ? `${circuit.window}`
      : circuit.state;
}

function spread(waitsMs: readonly number[]): string {
  return waitsMs.length === 0
    ? 'of none'
    : `p50 ${percentile(waitsMs, 50)}, p99 ${percentile(waitsMs, 99)} ms`;
}
