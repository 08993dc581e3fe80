import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { Cell, type Partner } from '../cell.ts';
import type { Endpoint } from '../partners/endpoints.ts';
import { Publisher } from '../partners/traffic.ts';
import type { RunOutcome } from '../report/outcome-of-run.ts';
import { always, named, run, type Scenario, type Verdict, WELL } from '../scenario.ts';

const TRIED = [STAGES.prod, STAGES.local];
const LONGEST_MS = 60 * 60_000;

/** The first twenty open the circuit, the others come 4 s later, and 2 s after them those it takes. */
const BLOCKS = [60, 200, 930];
const FIRST_BAD = 20;
const OTHER_BAD_AFTER_MS = 4_000;
const GOOD_AFTER_MS = 6_000;
const GOOD = 50;
/** As docs/ordered-retry.md says: rounds of probes, then a second for each that waits. */
const ROUNDS_MS = 15_000;
const EACH_MS = 1_000;

const AT_ONCE = 300;
const TAKEN_PER_SECOND = 5;

interface Tried {
  readonly outcome: RunOutcome;
  readonly verdicts: readonly Verdict[];
}

export const uneven: Scenario = {
  name: 'uneven',
  shows: `an endpoint that fails on a block of ${BLOCKS.join(' or ')} payments, then gets ${GOOD} that it takes; one that takes ${TAKEN_PER_SECOND} a second, and gets ${AT_ONCE} at once: with the policies of prod and of local`,
  async run(size, tell) {
    const tried: Tried[] = [];
    for (const stage of TRIED) {
      for (const bad of BLOCKS) {
        tried.push(await behindBlock(Math.max(FIRST_BAD, Math.round(bad * size)), stage, tell));
      }
      tried.push(await limited(Math.round(AT_ONCE * size), stage, tell));
    }
    return {
      runs: tried.map(({ outcome }) => outcome),
      verdicts: tried.flatMap(({ outcome, verdicts }) => named(outcome.name, verdicts)),
      remarks: [],
    };
  },
};

async function behindBlock(bad: number, stage: Stage, tell: (text: string) => void): Promise<Tried> {
  const cell = new Cell([partner('picky', { bad: (paymentId) => paymentId.startsWith('bad') })], stage);
  const observed = cell.observations.of('picky');
  let doneMs = LONGEST_MS;
  const outcome = await run(`${bad} bad ones, ${stage.name}`, cell, tell, async () => {
    const publisher = new Publisher(cell);
    tellOnce(publisher, 'picky', 'bad', FIRST_BAD);
    await cell.runUntil(OTHER_BAD_AFTER_MS);
    tellOnce(publisher, 'picky', 'bad-too', bad - FIRST_BAD);
    await cell.runUntil(GOOD_AFTER_MS);
    tellOnce(publisher, 'picky', 'good', GOOD);
    doneMs = (await cell.runUntilIt(() => observed.delivered === GOOD, LONGEST_MS)) - GOOD_AFTER_MS;
  });
  const because = `${observed.delivered} of ${GOOD} after ${seconds(doneMs)} s, ${observed.attempts} attempts, ${observed.probes} of them probes`;
  return {
    outcome,
    verdicts: [
      {
        promise: 'healthy payments get through behind bad ones',
        kept: observed.delivered === GOOD && doneMs <= ROUNDS_MS + (bad + GOOD) * EACH_MS,
        because,
      },
      ...always(cell),
    ],
  };
}

async function limited(count: number, stage: Stage, tell: (text: string) => void): Promise<Tried> {
  const requestedAtMs: number[] = [];
  const cell = new Cell([partner('busy', { isBusy: overAllowance(requestedAtMs) })], stage);
  const observed = cell.observations.of('busy');
  let doneMs = LONGEST_MS;
  const outcome = await run(
    `429 beyond ${TAKEN_PER_SECOND} a second, ${stage.name}`,
    cell,
    tell,
    async () => {
      tellOnce(new Publisher(cell), 'busy', 'pay', count);
      doneMs = await cell.runUntilIt(() => observed.delivered === count, LONGEST_MS);
    },
  );
  const perSecond = Map.groupBy(requestedAtMs, (atMs) => Math.floor(atMs / 1_000));
  const max = Math.max(...[...perSecond.values()].map(({ length }) => length));
  return {
    outcome,
    verdicts: [
      {
        promise: 'nothing is given up, and few requests are refused',
        kept: observed.delivered === count && requestedAtMs.length <= 2 * count,
        because: `${observed.delivered} of ${count} after ${seconds(doneMs)} s, ${requestedAtMs.length} requests, at most ${max} in a second`,
      },
      ...always(cell),
    ],
  };
}

/** Whether a request exceeds what an endpoint allows by a token bucket. Notes when each came. */
function overAllowance(requestedAtMs: number[]) {
  let tokens = TAKEN_PER_SECOND;
  return (nowMs: number) => {
    const elapsedMs = nowMs - (requestedAtMs.at(-1) ?? nowMs);
    tokens = Math.min(TAKEN_PER_SECOND, tokens + (elapsedMs * TAKEN_PER_SECOND) / 1_000);
    requestedAtMs.push(nowMs);
    const isOver = tokens < 1;
    tokens -= isOver ? 0 : 1;
    return isOver;
  };
}

function partner(group: string, how: Pick<Endpoint & { kind: 'answering' }, 'bad' | 'isBusy'>): Partner {
  return {
    serviceId: group,
    subscriptionId: `sub_${group}`,
    group,
    endpoint: { kind: 'answering', takes: WELL, ...how },
  };
}

/** One event each of this many payments. */
function tellOnce(publisher: Publisher, group: string, name: string, count: number): void {
  for (let payment = 0; payment < count; payment += 1) {
    publisher.publishOf(group, [group], `${name}-${payment.toString(16)}`, 1);
  }
}

const seconds = (ms: number) => Math.round(ms / 1_000);
