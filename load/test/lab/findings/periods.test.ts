import { at } from '../../../../test/support/message-summaries.ts';
import { combineCells } from '../../../lab/findings/findings.ts';
import { periodsOf } from '../../../lab/findings/periods.ts';
import type { PartnerGroup } from '../../../lab/partners/partner-groups.ts';
import { combineRepetitions } from '../../../lab/plan/repetitions.ts';
import { findingsOf } from '../../builders.ts';
import { sampleTimes } from '../../report/report-sample.ts';
import { planned } from '../scenario/planned.ts';

const START_MS = Date.parse(at(0));

/** What a run with this scenario changes, when all is sent after so many seconds. */
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

test('an endpoint that refuses the excess itself is marked', async () => {
  const itself = ['--rate-limit', '0', '--eased-rate-limit', '0', '--takes-per-second', '1'];
  expect((await periods('backpressure', 90, 101, ...itself)).slice(1)).toEqual([
    { group: 'limited', what: 'accepts 1/s', from_seconds: 30, to_seconds: 90 },
  ]);
});

test('without a baseline trouble is marked from the first event on', async () => {
  const { groups, changed } = await changing('dead-partner', 20, '--baseline', '0');
  const early = changed.map((one) => ({ ...one, atMs: one.atMs - 400 }));
  expect(periodsOf(groups, early, { fromMs: START_MS, seconds: 30, baseline: 0 })).toEqual([
    { group: 'dead', what: 'answers 500', from_seconds: 0, to_seconds: 19.6 },
  ]);
});

test.each(['simple', 'varying-receiver', 'burst'])('%s has no marked period', async (name) => {
  expect(await periods(name, 60, 70)).toEqual([]);
  const { groups } = await planned(name);
  const unchanging = groups.map((group) => ({ ...group, changes: [] }));
  expect(periodsOf(unchanging, [], { fromMs: START_MS, seconds: 70, baseline: 30 })).toEqual([]);
});

test('an interrupted run marks the changes that took effect, to its end', async () => {
  const { groups, changed, baseline } = await changing('outage-recovery', 90);
  const soFar = changed.slice(0, 1);
  expect(periodsOf(groups, soFar, { fromMs: START_MS, seconds: 45, baseline })).toEqual([
    BASELINE,
    { group: 'failing', what: 'answers 503', from_seconds: 40, to_seconds: 45 },
  ]);
  expect(periodsOf(groups, [], { fromMs: START_MS, seconds: 12, baseline })).toEqual([
    { ...BASELINE, to_seconds: 12 },
  ]);
});

test('only differences from the start are described', () => {
  const slow: PartnerGroup = {
    name: 'slow',
    services: 1,
    receiver: { delay_ms: '100', failure_rate: 0.1, failure_status: 500 },
    subscription: { rate_limit: 5 },
    changes: [{ at: 5, receiver: { delay_ms: '2000', failure_rate: 0.25, failure_status: 503 } }],
  };
  const changed = slow.changes.map((change) => ({ group: 'slow', change, atMs: START_MS + 5_000 }));
  expect(periodsOf([slow], changed, { fromMs: START_MS, seconds: 9, baseline: 0 })).toEqual([
    { group: 'slow', what: 'answers 503 to 25 %, answers after 2000 ms', from_seconds: 5, to_seconds: 9 },
  ]);
});

test('refusing, hanging and flapping endpoints are described with their share', async () => {
  const [, some] = await periods('partial-refusal', 110, 120, '--refused-share', '0.05');
  expect(some).toEqual({ group: 'refuses-0.05', what: 'answers 503', from_seconds: 0, to_seconds: 20 });
  const whatOf = async (name: string) => (await periods(name, 90, 100)).map(({ what }) => what);
  expect((await whatOf('partial-refusal')).filter((what) => what !== 'answers 503')).toEqual([
    'answers 422 to 1 % of its payments',
    'answers 422 to 5 % of its payments',
    'answers 422 to 20 % of its payments',
  ]);
  expect(await whatOf('hanging-share')).toEqual(['baseline', 'leaves 5 % unanswered']);
  expect(await whatOf('flapping')).toEqual(['alternates 4 s up, 4 s down']);
  expect(await whatOf('random-failures')).toEqual(['answers 503 to 30 %']);
});

test('a rate limit stays until it is changed', () => {
  const limited: PartnerGroup = {
    name: 'limited',
    services: 1,
    receiver: { delay_ms: '100' },
    subscription: {},
    changes: [
      { at: 1, subscription: { rate_limit: 1 } },
      { at: 3, subscription: {} },
    ],
  };
  const changed = [1, 3].map((second, index) => ({
    group: 'limited',
    change: limited.changes[index] ?? {},
    atMs: START_MS + second * 1_000,
  }));
  expect(periodsOf([limited], changed, { fromMs: START_MS, seconds: 9, baseline: 0 })).toEqual([
    { group: 'limited', what: 'rate limit of 1/s', from_seconds: 1, to_seconds: 9 },
  ]);
});

test('periods of joined cells move with their points', () => {
  const outage = { group: 'a', what: 'answers 503', from_seconds: 2, to_seconds: 4 };
  const whole = combineCells([findingsOf({ seconds: 9.5 }), findingsOf({ periods: [outage] })]);
  expect(whole.periods).toEqual([{ ...outage, from_seconds: 12, to_seconds: 14 }]);
});

test('the charts mark the periods of the repetition they show', () => {
  const runs = [31, 90, 40].map((p99) =>
    sampleTimes(
      { p99 },
      { periods: [{ group: 'a', what: `p99 of ${p99}`, from_seconds: 1, to_seconds: 2 }] },
    ),
  );
  expect(combineRepetitions(runs, []).periods).toEqual(runs[2]?.periods);
});
