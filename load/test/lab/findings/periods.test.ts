import { at } from '../../../../test/support/message-summaries.ts';
import { combineCells } from '../../../lab/findings/findings.ts';
import { periodsOf } from '../../../lab/findings/periods.ts';
import { findingsOf } from '../../builders.ts';
import { planned } from '../scenario/planned.ts';

const START_MS = Date.parse(at(0));

/** What a run with this scenario changes, when all is sent after this many seconds. */
async function changing(name: string, endsAfter: number, ...options: string[]) {
  const { groups, parameters } = await planned(name, ...options);
  const changed = groups.flatMap((group) =>
    group.changes.map((change) => ({
      group: group.name,
      change,
      atMs: START_MS + (change.at === 'end' ? endsAfter : change.at) * 1_000,
    })),
  );
  return { groups, changed, baseline: Number(parameters.baseline ?? 0) };
}

async function periods(name: string, endsAfter: number, seconds: number, ...options: string[]) {
  const { groups, changed, baseline } = await changing(name, endsAfter, ...options);
  return periodsOf(groups, changed, { fromMs: START_MS, seconds, baseline });
}

const BASELINE = { what: 'baseline', from_seconds: 0, to_seconds: 30 };

test('an outage is marked from start to end, after the baseline', async () => {
  expect(await periods('outage-recovery', 90.2, 95)).toEqual([
    BASELINE,
    { group: 'failing', what: 'answers 503', from_seconds: 40, to_seconds: 60 },
  ]);
});

test('a hanging endpoint is marked until all is sent', async () => {
  expect(await periods('hanging-neighbour', 90.24, 101)).toEqual([
    BASELINE,
    { group: 'failing', what: 'never answers', from_seconds: 30, to_seconds: 90.2 },
  ]);
});

test('a rate limit is marked before and after it is raised', async () => {
  expect(await periods('backpressure', 90, 101)).toEqual([
    BASELINE,
    { group: 'limited', what: 'rate limit of 1/s', from_seconds: 30, to_seconds: 90 },
    { group: 'limited', what: 'rate limit of 100/s', from_seconds: 90, to_seconds: 101 },
  ]);
});

test('periods of joined cells move with their points', () => {
  const outage = { group: 'a', what: 'answers 503', from_seconds: 2, to_seconds: 4 };
  const whole = combineCells([findingsOf({ seconds: 9.5 }), findingsOf({ periods: [outage] })]);
  expect(whole.periods).toEqual([{ ...outage, from_seconds: 12, to_seconds: 14 }]);
});
