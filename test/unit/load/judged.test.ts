import { gatherFacts } from '../../../load/lab/gather-facts.ts';
import { judged } from '../../../load/lab/judged.ts';
import { loadOptions, wishOf } from '../../../load/lab/load-options.ts';
import { filledPartners } from '../../../load/lab/partners.ts';
import { readScenario } from '../../../load/lab/scenario.ts';
import { at } from './builders.ts';

const START_MS = Date.parse(at(0));

test('the findings of a run have the times of what was carried out', async () => {
  const scenario = await readScenario('outage-recovery');
  const { parameters } = loadOptions(wishOf(['outage-recovery']), scenario);
  const groups = filledPartners(scenario, parameters);
  const outage = groups[1]?.changes[0];
  const course = {
    sent: [],
    unsure: [],
    changed: [{ group: 'failing', change: outage ?? {}, atMs: START_MS + 40_300 }],
    stops: 0,
    stoppedMs: 0,
    firstSentAtMs: START_MS,
    lastSentAtMs: START_MS + 60_000,
  };
  const findings = judged({ name: 'all', place: {} }, await gatherFacts([], []), groups, course, {
    isInterrupted: true,
    baseline: 30,
  });
  expect(findings.periods).toEqual([
    { what: 'baseline', from_seconds: 0, to_seconds: 30 },
    { group: 'failing', what: 'answers 503', from_seconds: 40.3, to_seconds: 60 },
  ]);
});
