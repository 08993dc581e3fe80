import { type Answers, NO_ANSWERS } from '../../../../../functions/core/attempt/answers.ts';
import type { Circuit, In, InputOf } from '../../../../../functions/core/circuit/circuit.ts';
import { answers, step, timerFired } from '../given/circuit-inputs.ts';
import { draining } from '../given/circuits.ts';

const NINE = '2026-11-14T09:00:00.000Z';

/** A timer that reads these answers since the last one. */
const withAnswers = (over: Partial<Answers>, rest: Partial<InputOf<'timer_fired'>> = {}) =>
  timerFired(['a'], { answers: answers(over), ...rest });

const windowAfter = (window: number, input: InputOf<'timer_fired'>) =>
  (step(draining({ window }), input) as In<'draining'>).window;

describe('the window', () => {
  test.each<[string, Partial<Answers>, number]>([
    ['no answers: stays', {}, 16],
    ['one success: doubles', { succeeded: 1 }, 32],
    ['one refusal, which is an answer: doubles', { refused: 1 }, 32],
    ['nothing but refusals: doubles', { refused: 16 }, 32],
    ['as many successes as unwell: doubles', { succeeded: 5, unwell: 5 }, 32],
    ['more unwell than successes: halves', { succeeded: 5, unwell: 6 }, 8],
    ['refusals do not count as unwell: doubles', { succeeded: 1, refused: 4, unwell: 5 }, 32],
    ['nothing but unwell: halves', { unwell: 1 }, 8],
    ['some overloaded: doubles, since the rate bounds what is sent', { succeeded: 5, overloaded: 9 }, 32],
  ])('%s', (_, over, expected) => {
    expect(windowAfter(16, withAnswers(over))).toBe(expected);
  });

  test.each([
    [1, 2],
    [5, 10],
    [64, 100],
    [100, 100],
  ])('doubled, %i becomes %i: at most a hundred', (window, expected) => {
    expect(windowAfter(window, withAnswers({ succeeded: 1 }))).toBe(expected);
  });

  test.each([
    [100, 50],
    [7, 3],
    [1, 1],
  ])('halved, %i becomes %i: at least one', (window, expected) => {
    expect(windowAfter(window, withAnswers({ unwell: 1 }))).toBe(expected);
  });

  test('answers before the last timer no longer count', () => {
    const first = step(draining({ window: 16 }), withAnswers({ unwell: 3 }));
    expect(first).toMatchObject({ window: 8, answers: { unwell: 3 } });
    expect(step(first, withAnswers({ unwell: 3 }))).toMatchObject({ window: 8 });
    expect(step(first, withAnswers({ unwell: 3, succeeded: 2 }))).toMatchObject({ window: 16 });
  });

  test('the first timer of a drain only reads the counts of earlier drains', () => {
    const { answers: _, ...begun } = draining({ window: 5 });
    const next = step(begun, withAnswers({ succeeded: 40, unwell: 4_000 }));
    expect(next).toMatchObject({ state: 'draining', window: 5, answers: { succeeded: 40, unwell: 4_000 } });
    expect(step(next, withAnswers({ succeeded: 41, unwell: 4_000 }))).toMatchObject({ window: 10 });
  });

  test('while the answers are unknown it stays, and the last known counts are kept', () => {
    const known = answers({ succeeded: 4 });
    const next = step(draining({ window: 16, answers: known }), timerFired(['a'], { answers: undefined }));
    expect(next).toMatchObject({ window: 16, answers: known });
    expect(step(next, withAnswers({ succeeded: 5 }))).toMatchObject({ window: 32 });
  });
});

describe('of concurrent drains', () => {
  test.each([
    [20, 100],
    [21, 95],
    [100, 20],
    [2_000, 1],
    [5_000, 1],
  ])('each of %i with answers has a window of at most %i', (drains, widest) => {
    expect(windowAfter(100, withAnswers({ succeeded: 1 }, { drains }))).toBe(widest);
    expect(windowAfter(widest, withAnswers({ succeeded: 1 }, { drains }))).toBe(widest);
  });

  test.each([
    [2, 100],
    [3, 83],
    [50, 5],
    [125, 2],
    [5_000, 1],
  ])(
    'each of %i without answers has a window of at most %i: all of it may turn out slow',
    (drains, widest) => {
      expect(windowAfter(100, withAnswers({}, { drains }))).toBe(widest);
    },
  );

  test('while their number is unknown, a window does not grow', () => {
    expect(windowAfter(4, withAnswers({ succeeded: 1 }, { drains: undefined }))).toBe(4);
    expect(windowAfter(4, withAnswers({ unwell: 1 }, { drains: undefined }))).toBe(2);
  });
});

describe('slow attempts', () => {
  const slow = (own: number, all = own) => ({ slow: { own, all } });

  test.each([
    [1, 125, 32],
    [1, 126, 16],
    [1, 250, 16],
    [1, 251, 8],
    [10, 12, 32],
    [10, 13, 16],
    [10, 25, 16],
    [10, 26, 8],
  ])('of %i drains, one with answers and %i slow attempts goes from 16 to %i', (drains, own, expected) => {
    expect(windowAfter(16, withAnswers({ succeeded: 1 }, { drains, ...slow(own) }))).toBe(expected);
  });

  test('two do not halve the window, however many drains there are', () => {
    const many = { drains: 1_900 };
    expect(
      step(draining({ window: 2 }), withAnswers({ succeeded: 1 }, { ...many, ...slow(2) })),
    ).toMatchObject({
      window: 1,
    });
    expect(windowAfter(2, withAnswers({ succeeded: 1 }, { drains: 500, ...slow(2) }))).toBe(2);
    expect(windowAfter(2, withAnswers({ succeeded: 1 }, { drains: 500, ...slow(3) }))).toBe(1);
  });

  test('without room in the stage, a drain without answers sends nothing', () => {
    expect(step(draining(), withAnswers({}, slow(0, 249)))).not.toHaveProperty('waits_for_room');
    expect(step(draining(), withAnswers({}, slow(0, 250)))).toMatchObject({
      waits_for_room: true,
      window: 4,
    });
    expect(step(draining(), withAnswers({ unwell: 3 }, slow(0, 250)))).toMatchObject({
      waits_for_room: true,
    });
  });

  test.each<Partial<Answers>>([{ succeeded: 1 }, { refused: 1 }])(
    'a drain with answers continues: %j',
    (news) => {
      expect(step(draining(), withAnswers(news, slow(0, 250)))).not.toHaveProperty('waits_for_room');
    },
  );

  test('it continues as soon as there is room', () => {
    const waits = draining({ waits_for_room: true });
    expect(step(waits, withAnswers({}, slow(0, 249)))).not.toHaveProperty('waits_for_room');
  });

  test('while their number is unknown, no drain waits for room', () => {
    expect(step(draining(), withAnswers({}, { slow: undefined }))).not.toHaveProperty('waits_for_room');
  });
});

describe('the circuit opens again', () => {
  test.each([
    [1, 5],
    [2, 5],
    [3, 6],
    [5, 10],
    [10, 20],
    [100, 20],
  ])('with a window of %i after %i failures and no success', (window, max) => {
    for (const kind of ['refused', 'overloaded', 'unwell'] as const) {
      expect(step(draining({ window }), withAnswers({ [kind]: max - 1 })).state).toBe('draining');
      expect(step(draining({ window }), withAnswers({ [kind]: max })).state).toBe('open');
    }
  });

  test('every failure since the last success counts, over any number of timers', () => {
    const three = step(draining({ window: 1 }), withAnswers({ unwell: 3 }));
    expect(three).toMatchObject({ failed_in_a_row: 3 });
    const idle = step(three, withAnswers({ unwell: 3 }));
    expect(idle).toMatchObject({ failed_in_a_row: 3 });
    expect(step(idle, withAnswers({ unwell: 5 }))).toMatchObject({ state: 'open' });
    const saved = step(idle, withAnswers({ unwell: 4, succeeded: 1 }));
    expect(saved).toMatchObject({ state: 'draining', failed_in_a_row: 0 });
  });

  test('not while one of many succeeds: the window narrows instead', () => {
    expect(step(draining({ window: 100 }), withAnswers({ unwell: 99, succeeded: 1 }))).toMatchObject({
      state: 'draining',
      window: 50,
    });
  });

  test.each([
    [undefined, 1_000],
    [1_000, 1_250],
    [8_000, 10_000],
    [290_000, 300_000],
  ])('after a cool-down of %p ms, for %i ms', (before, expected) => {
    const drained = draining(before === undefined ? {} : { cool_down_ms: before });
    expect(step(drained, withAnswers({ unwell: 20 }))).toMatchObject({
      state: 'open',
      cool_down_ms: expected,
      failing_since: '2026-11-14T10:00:30.000Z',
    });
  });

  test.each<[string, Partial<Answers>, number]>([
    ['a success, whatever the others got: halved', { succeeded: 1, unwell: 4, overloaded: 1 }, 4_000],
    ['no success: kept', { refused: 2, unwell: 1 }, 8_000],
    ['no answers: kept', {}, 8_000],
  ])('the cool-down is remembered: %s', (_, news, expected) => {
    expect(step(draining({ cool_down_ms: 8_000 }), withAnswers(news))).toMatchObject({
      cool_down_ms: expected,
    });
  });

  test('it never becomes shorter than the first', () => {
    expect(step(draining({ cool_down_ms: 1_500 }), withAnswers({ succeeded: 1 }))).toMatchObject({
      cool_down_ms: 1_000,
    });
  });
});

describe('nothing but failures', () => {
  test('since the first timer that read one, through timers that read none', () => {
    const first = step(draining(), withAnswers({ unwell: 1 }));
    expect(first).toMatchObject({ failing_since: '2026-11-14T10:00:30.000Z' });
    expect(step(first, withAnswers({ unwell: 1 }), 31)).toMatchObject({
      failing_since: '2026-11-14T10:00:30.000Z',
    });
  });

  test.each<Partial<Answers>>([{ refused: 1 }, { overloaded: 1 }, { unwell: 1 }])(
    'begin with a failure of whatever kind: %j',
    (news) => {
      expect(step(draining(), withAnswers(news))).toMatchObject({
        failing_since: '2026-11-14T10:00:30.000Z',
      });
    },
  );

  test('until there is a success', () => {
    const failing = draining({ failing_since: NINE });
    expect(step(failing, withAnswers({ succeeded: 1, unwell: 3 }))).not.toHaveProperty('failing_since');
    expect(step(failing, withAnswers({}))).toMatchObject({ failing_since: NINE });
  });
});

test('the next timer fires a second later', () => {
  expect(step(draining(), withAnswers({})).timer_at).toBe('2026-11-14T10:00:31.000Z');
});

test('a drain remembers its cause until it ends', () => {
  const crowded: Circuit = draining({ cause: 'crowded', answers: NO_ANSWERS });
  expect(step(crowded, withAnswers({ succeeded: 1 }))).toMatchObject({ cause: 'crowded' });
  expect(step(crowded, withAnswers({ unwell: 20 }))).not.toHaveProperty('cause');
});
