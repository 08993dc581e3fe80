import { Cell, type Partner } from '../cell.ts';
import type { Endpoint } from '../partners/endpoints.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { Publisher } from '../partners/traffic.ts';
import {
  allDelivered,
  always,
  DEAD,
  named,
  run,
  type Scenario,
  unchanged,
  type Verdict,
  WELL,
} from '../scenario.ts';

const TELLING_MS = 60_000;
/** The last hanging attempt is on record after its timeout. */
const SETTLING_MS = 40_000;
const HEALTHY = 50;
const HEALTHY_PER_SECOND = 100;
/** Each event has its own payment: nothing waits behind a hanging one, so it costs the most it can. */
const EVENTS_OF_A_PAYMENT = 1;

interface Mixture {
  readonly name: string;
  readonly troubled: number;
  /** Events a second for all unhealthy endpoints together. */
  readonly perSecond: number;
  readonly endpoint: Endpoint;
  readonly timeoutMs?: number;
}

const MIXTURES: readonly Mixture[] = [
  {
    name: '5 % of 250 a second hang for 30 s',
    troubled: 1,
    perSecond: 250,
    endpoint: { kind: 'answering', takes: WELL, hangs: 0.05 },
    timeoutMs: 30_000,
  },
  {
    name: 'a steady 2.9 s at 170 a second',
    troubled: 1,
    perSecond: 170,
    endpoint: { kind: 'answering', takes: { p50: 2_900, p99: 2_950 } },
  },
  { name: 'nine of ten hang, 200 a second', troubled: 9, perSecond: 180, endpoint: DEAD },
  {
    name: 'eight endpoints of 2 s each at 30 a second',
    troubled: 8,
    perSecond: 240,
    endpoint: { kind: 'answering', takes: { p50: 2_000, p99: 3_000 } },
  },
  {
    name: 'thirty endpoints, each hangs for 30 % of its requests',
    troubled: 30,
    perSecond: 150,
    endpoint: { kind: 'answering', takes: WELL, hangs: 0.3 },
    timeoutMs: 30_000,
  },
];

export const mixtures: Scenario = {
  name: 'mixtures',
  shows:
    'endpoints that are slow, or hang for a share of their requests, beside fifty healthy ones with 100 events a second',
  async run(size, tell) {
    const healthy = numberedPartners(HEALTHY);
    const telling = async (cell: Cell, mixture?: Mixture) => {
      const publisher = new Publisher(cell, EVENTS_OF_A_PAYMENT);
      publisher.keepTelling(sourcesOf(healthy), HEALTHY_PER_SECOND * size, TELLING_MS);
      if (mixture !== undefined) {
        publisher.keepTelling(sourcesOf(troubledOnes(mixture)), mixture.perSecond * size, TELLING_MS);
      }
      await cell.runUntil(TELLING_MS + SETTLING_MS);
    };
    const control = await run('all healthy', new Cell(healthy), tell, (cell) => telling(cell));
    const runs = [control];
    const verdicts: Verdict[] = [];
    for (const mixture of MIXTURES) {
      const cell = new Cell([...healthy, ...troubledOnes(mixture)]);
      const outcome = await run(mixture.name, cell, tell, () => telling(cell, mixture));
      runs.push(outcome);
      verdicts.push(
        ...named(mixture.name, [
          unchanged(control, outcome),
          allDelivered(outcome, 'healthy'),
          ...always(cell),
        ]),
      );
    }
    return { runs, verdicts, remarks: [] };
  },
};

function troubledOnes({ troubled, endpoint, timeoutMs }: Mixture): Partner[] {
  return numberedPartners(troubled, (index) => ({
    serviceId: `troubled${index}`,
    subscriptionId: `sub_troubled_${index}`,
    group: 'troubled',
    endpoint,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }));
}
