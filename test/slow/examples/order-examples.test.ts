import { CHECKERS } from '../../support/order/checkers.ts';
import { type Received, traffic } from '../../support/order/traffic.ts';
import { type Trial, trialOf } from '../../support/order/trial.ts';
import type { Verdict } from '../../support/order/truth.ts';

/** Go builds its library the first time. */
jest.setTimeout(120_000);

const NO_ERRORS = { count: 0, first: [] };
const PAYMENTS = 1_500;

type Told = readonly [body: object, verdict: Verdict];

/** A webhook by the position and the id of its message, which follows that of the position before. */
const at = (position: number, verdict: Verdict, over: object = {}): Told => [
  {
    webhook_message_id: `msg_${position}`,
    sequence: position,
    position,
    previous_message_id: position === 1 ? null : `msg_${position - 1}`,
    ...over,
  },
  verdict,
];
const unplaced = (webhook_message_id: string, verdict: Verdict): Told => [
  { webhook_message_id, sequence: 3, late: true },
  verdict,
];
const unnumbered: Told = [{ webhook_message_id: 'msg_0' }, 'unnumbered'];
const upTo = (count: number) => Array.from({ length: count }, (_, index) => at(index + 1, 'in_order'));

const STORIES: Record<string, readonly Told[]> = {
  'one after another': [at(1, 'in_order'), at(2, 'in_order'), at(3, 'in_order')],
  'the same again': [at(1, 'in_order'), at(1, 'repeat'), at(2, 'in_order'), at(1, 'repeat'), at(2, 'repeat')],
  'one is missing, and is sent again later': [
    ...[at(1, 'in_order'), at(3, 'gap'), at(4, 'in_order')],
    ...[at(2, 'stale'), at(2, 'repeat'), at(5, 'in_order')],
  ],
  'the first is missing': [at(2, 'gap'), at(3, 'in_order')],
  'many are missing': [at(1, 'in_order'), at(9, 'gap'), at(10, 'in_order'), at(4, 'stale'), at(3, 'stale')],
  'the position is the next, but behind a message that never came': [
    at(1, 'in_order'),
    at(2, 'gap', { previous_message_id: 'msg_of_another' }),
    at(3, 'in_order'),
  ],
  'the position is not the next, whatever it says to be behind': [
    at(1, 'in_order'),
    at(3, 'gap', { previous_message_id: 'msg_1' }),
  ],
  'another message has had its position': [
    at(1, 'in_order'),
    at(1, 'stale', { webhook_message_id: 'msg_of_another' }),
    at(2, 'in_order'),
  ],
  'without a position': [
    ...[unplaced('msg_a', 'stale'), at(1, 'in_order'), unplaced('msg_a', 'repeat')],
    ...[unplaced('msg_b', 'stale'), at(2, 'in_order')],
  ],
  'marks change nothing': [
    at(1, 'in_order', { gap_before: true }),
    at(2, 'in_order', { late: true }),
    at(4, 'gap', { gap_before: true }),
  ],
  'without a number': [unnumbered, at(1, 'in_order'), unnumbered, at(2, 'in_order')],
  'a repeat behind 99 others': [...upTo(100), at(1, 'repeat'), at(101, 'in_order')],
  'a repeat behind 100 others': [...upTo(101), at(2, 'repeat'), at(1, 'stale'), at(102, 'in_order')],
};

function* stories(): Generator<Received> {
  for (const [of, told] of Object.entries(STORIES)) {
    for (const [body, verdict] of told) {
      yield { of, body: JSON.stringify(body), verdict };
    }
  }
}

const trafficOf = () => ({
  stories: stories(),
  promised: traffic({ seed: 1, payments: PAYMENTS }),
  withHoles: traffic({ seed: 2, payments: PAYMENTS, hasHoles: true }),
});

let trial: Trial<keyof ReturnType<typeof trafficOf>>;
beforeAll(async () => {
  trial = await trialOf(trafficOf());
});
afterAll(() => trial?.end());

test('the traffic has every fault, alone and with others', () => {
  const { promised, withHoles } = trial.parts;
  const expected = [
    ...['in_order', 'in_order gap_before', 'in_order late', 'repeat', 'repeat gap_before', 'repeat late'],
    ...['repeat late unplaced', 'stale late unplaced', 'unnumbered'],
  ];
  const ofHoles = ['gap', 'gap gap_before', 'gap late', 'stale', 'stale gap_before', 'stale late'];
  expect(expected.filter((kind) => !promised.kinds.has(kind))).toEqual([]);
  expect([...expected, ...ofHoles].filter((kind) => !withHoles.kinds.has(kind))).toEqual([]);
});

test('what arrives as promised has no gap, whatever the publisher did', () => {
  expect(trial.parts.promised.verdicts.filter((verdict) => verdict === 'gap')).toEqual([]);
});

/** Each language starts once: that takes a second in some. */
describe.each(CHECKERS)('Check the order in $language', (checker) => {
  const check = checker.isThere ? test : test.skip;
  let errors: Awaited<ReturnType<typeof trial.errorsOf>>;
  beforeAll(async () => {
    if (checker.isThere) {
      errors = await trial.errorsOf(checker);
    }
  });
  check('of cases with a known answer', () => expect(errors.stories).toEqual(NO_ERRORS));
  check('of what arrives as promised: no false alarm', () => expect(errors.promised).toEqual(NO_ERRORS));
  check('of what has holes: every gap, and no other', () => expect(errors.withHoles).toEqual(NO_ERRORS));
});
