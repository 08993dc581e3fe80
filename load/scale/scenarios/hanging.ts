import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { Cell } from '../cell.ts';
import { allWell, numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { publishFor } from '../partners/traffic.ts';
import type { RunOutcome } from '../report/outcome-of-run.ts';
import {
  allDelivered,
  always,
  DEAD,
  named,
  run,
  type Scenario,
  unchanged,
  type Verdict,
} from '../scenario.ts';

const SUBSCRIPTIONS = 10;
const EVENTS_PER_SECOND = 100;
/** A hanging message holds up its payment, so events of different payments cost the most. */
const EVENTS_OF_A_PAYMENT = 1;
/** Long enough that the p99 of the healthy endpoint rests on some twenty messages. */
const TELLING_MS = 240_000;
/** At ten a second: until five payments have hung for three seconds, and a few of a drain. */
const MAX_ATTEMPTS_EACH = 60;

/** Deployed stages have more workers, and a policy for them. */
const TRIED = [STAGES.prod, STAGES.local];

export const hanging: Scenario = {
  name: 'hanging',
  shows:
    '100 events a second, each of a new payment, for ten endpoints, nine of which never respond, with the workers of prod and of local',
  async run(size, tell) {
    const partners = numberedPartners(SUBSCRIPTIONS, (index) =>
      index === 0 ? {} : { group: 'dead', endpoint: DEAD },
    );
    const telling = (cell: Cell) =>
      publishFor(cell, sourcesOf(cell.partners), {
        perSecond: EVENTS_PER_SECOND * size,
        tellingMs: TELLING_MS,
        settlingMs: 20_000,
        eventsEach: EVENTS_OF_A_PAYMENT,
      });
    const control = await run('all healthy', new Cell(allWell(partners)), tell, telling);
    const runs = [control];
    const verdicts: Verdict[] = [];
    for (const stage of TRIED) {
      const cell = new Cell(partners, stage);
      const outcome = await run(`nine of ten hang, ${stage.name}`, cell, tell, telling);
      runs.push(outcome);
      verdicts.push(
        ...named(stage.name, [
          unchanged(control, outcome),
          allDelivered(outcome, 'healthy'),
          attemptsOfHanging(outcome, size),
          workersAreLeft(outcome, stage),
          ...always(cell),
        ]),
      );
    }
    return { runs, verdicts, remarks: [] };
  },
};

function attemptsOfHanging({ groups }: RunOutcome, size: number): Verdict {
  const { attempts, probes } = groups.dead!;
  const each = (attempts - probes) / (SUBSCRIPTIONS - 1);
  return {
    promise: 'a hanging endpoint costs only what came until its circuit opened, and probes',
    kept: each <= MAX_ATTEMPTS_EACH * Math.max(1, size),
    because: `${each.toFixed(1)} attempts and ${(probes / (SUBSCRIPTIONS - 1)).toFixed(1)} probes each`,
  };
}

function workersAreLeft({ most_workers }: RunOutcome, { concurrency }: Stage): Verdict {
  return {
    promise: 'workers are left for healthy endpoints',
    kept: most_workers.deliver < concurrency.deliver,
    because: `${most_workers.deliver} of ${concurrency.deliver} were busy at most`,
  };
}
