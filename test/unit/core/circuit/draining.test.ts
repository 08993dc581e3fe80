import { type Answers, NO_ANSWERS } from '../../../../functions/core/attempt/answers.ts';
import type { Circuit, In, InputOf } from '../../../../functions/core/circuit/circuit.ts';
import { answers, step, timerFired } from './circuit-inputs.ts';
import { draining } from './circuits.ts';

const NINE = '2026-11-14T09:00:00.000Z';

/** A tick that hears of these answers since the last one. */
const told = (over: Partial<Answers>, rest: Partial<InputOf<'ticked'>> = {}) =>
  timerFired(['a'], { answers: answers(over), ...rest });

const windowAfter = (window: number, input: InputOf<'ticked'>) =>
  (step(draining({ window }), input) as In<'draining'>).window;

describe('the window', () => {
  test.each<[string, Partial<Answers>, number]>([
    ['nothing is answered: stays', {}, 16],
    ['one success: doubles', { succeeded: 1 }, 32],
    ['one refusal, which is an answer: doubles', { refused: 1 }, 32],
    ['nothing but refusals: doubles', { refused: 16 }, 32],
    ['as many well as unwell: doubles', { succeeded: 5, unwell: 5 }, 32],
    ['more unwell than well: halves', { succeeded: 5, unwell: 6 }, 8],
    ['refused ones are not unwell: doubles', { succeeded: 1, refused: 4, unwell: 5 }, 32],
    ['nothing but unwell: halves', { unwell: 1 }, 8],
    ['a tenth asks for fewer: doubles', { succeeded: 9, overloaded: 1 }, 32],
    ['more than a tenth does: halves', { succeeded: 8, overloaded: 1 }, 8],
    ['more refused, a tenth of all asks for fewer: doubles', { refused: 9, overloaded: 1 }, 32],
    ['some ask for fewer, and others are unwell: halves', { succeeded: 20, overloaded: 2, unwell: 19 }, 8],
  ])('%s', (_, over, expected) => {
    expect(windowAfter(16, told(over))).toBe(expected);
  });

  test.each([
    [1, 2],
    [5, 10],
    [64, 100],
    [100, 100],
  ])('doubled, %i becomes %i: a hundred at most', (window, expected) => {
    expect(windowAfter(window, told({ succeeded: 1 }))).toBe(expected);
  });

  test.each([
    [100, 50],
    [7, 3],
    [1, 1],
  ])('halved, %i becomes %i: one at least', (window, expected) => {
    expect(windowAfter(window, told({ unwell: 1 }))).toBe(expected);
  });

  test('what was counted before the last tick counts no more', () => {
    const first = step(draining({ window: 16 }), told({ unwell: 3 }));
    expect(first).toMatchObject({ window: 8, answers: { unwell: 3 } });
    expect(step(first, told({ unwell: 3 }))).toMatchObject({ window: 8 });
    expect(step(first, told({ unwell: 3, succeeded: 2 }))).toMatchObject({ window: 16 });
  });

  test('the first tick of a drain only reads what was counted in earlier ones', () => {
    const { answers: _, ...begun } = draining({ window: 5 });
    const next = step(begun, told({ succeeded: 40, unwell: 4_000 }));
    expect(next).toMatchObject({ state: 'draining', window: 5, answers: { succeeded: 40, unwell: 4_000 } });
    expect(step(next, told({ succeeded: 41, unwell: 4_000 }))).toMatchObject({ window: 10 });
  });

  test('while nobody can say what was answered it stays, and what was read is kept', () => {
    const known = answers({ succeeded: 4 });
    const next = step(draining({ window: 16, answers: known }), timerFired(['a'], { answers: undefined }));
    expect(next).toMatchObject({ window: 16, answers: known });
    expect(step(next, told({ succeeded: 5 }))).toMatchObject({ window: 32 });
  });
});

describe('of drains that go on at the same time', () => {
  test.each([
    [20, 100],
    [21, 95],
    [100, 20],
    [2_000, 1],
    [5_000, 1],
  ])('each of %i that are answered has a window of at most %i', (drains, widest) => {
    expect(windowAfter(100, told({ succeeded: 1 }, { drains }))).toBe(widest);
    expect(windowAfter(widest, told({ succeeded: 1 }, { drains }))).toBe(widest);
  });

  test.each([
    [2, 100],
    [3, 83],
    [50, 5],
    [125, 2],
    [5_000, 1],
  ])('each of %i that are not has a window of at most %i: all of it may turn out slow', (drains, widest) => {
    expect(windowAfter(100, told({}, { drains }))).toBe(widest);
  });

  test('while nobody can say how many there are, a window grows no wider', () => {
    expect(windowAfter(4, told({ succeeded: 1 }, { drains: undefined }))).toBe(4);
    expect(windowAfter(4, told({ unwell: 1 }, { drains: undefined }))).toBe(2);
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
  ])('of %i drains, one that is answered and has %i of them goes from 16 to %i', (drains, own, expected) => {
    expect(windowAfter(16, told({ succeeded: 1 }, { drains, ...slow(own) }))).toBe(expected);
  });

  test('two of them do not halve it, however many drains there are', () => {
    const many = { drains: 1_900 };
    expect(step(draining({ window: 2 }), told({ succeeded: 1 }, { ...many, ...slow(2) }))).toMatchObject({
      window: 1,
    });
    expect(windowAfter(2, told({ succeeded: 1 }, { drains: 500, ...slow(2) }))).toBe(2);
    expect(windowAfter(2, told({ succeeded: 1 }, { drains: 500, ...slow(3) }))).toBe(1);
  });

  test('without room in the stage, whoever was not answered lets nobody go on', () => {
    expect(step(draining(), told({}, slow(0, 249)))).not.toHaveProperty('waits_for_room');
    expect(step(draining(), told({}, slow(0, 250)))).toMatchObject({ waits_for_room: true, window: 4 });
    expect(step(draining(), told({ unwell: 3 }, slow(0, 250)))).toMatchObject({ waits_for_room: true });
  });

  test.each<Partial<Answers>>([{ succeeded: 1 }, { refused: 1 }])(
    'whoever was answered goes on: %j',
    (news) => {
      expect(step(draining(), told(news, slow(0, 250)))).not.toHaveProperty('waits_for_room');
    },
  );

  test('as soon as there is room it goes on', () => {
    const waits = draining({ waits_for_room: true });
    expect(step(waits, told({}, slow(0, 249)))).not.toHaveProperty('waits_for_room');
  });

  test('while nobody can say how many there are, nobody waits for room', () => {
    expect(step(draining(), told({}, { slow: undefined }))).not.toHaveProperty('waits_for_room');
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
  ])('with a window of %i when %i have failed and none succeeded', (window, max) => {
    for (const kind of ['refused', 'overloaded', 'unwell'] as const) {
      expect(step(draining({ window }), told({ [kind]: max - 1 })).state).toBe('draining');
      expect(step(draining({ window }), told({ [kind]: max })).state).toBe('open');
    }
  });

  test('all that failed since the last success counts, over any number of ticks', () => {
    const three = step(draining({ window: 1 }), told({ unwell: 3 }));
    expect(three).toMatchObject({ failed_in_a_row: 3 });
    const idle = step(three, told({ unwell: 3 }));
    expect(idle).toMatchObject({ failed_in_a_row: 3 });
    expect(step(idle, told({ unwell: 5 }))).toMatchObject({ state: 'open' });
    const saved = step(idle, told({ unwell: 4, succeeded: 1 }));
    expect(saved).toMatchObject({ state: 'draining', failed_in_a_row: 0 });
  });

  test('not while one of many succeeds: the window is narrow then', () => {
    expect(step(draining({ window: 100 }), told({ unwell: 99, succeeded: 1 }))).toMatchObject({
      state: 'draining',
      window: 50,
    });
  });

  test.each([
    [undefined, 1_000],
    [1_000, 1_250],
    [8_000, 10_000],
    [290_000, 300_000],
  ])('after a cool-down of %p ms for %i ms', (before, expected) => {
    const drained = draining(before === undefined ? {} : { cool_down_ms: before });
    expect(step(drained, told({ unwell: 20 }))).toMatchObject({
      state: 'open',
      cool_down_ms: expected,
      failing_since: '2026-11-14T10:00:30.000Z',
    });
  });

  test.each<[string, Partial<Answers>, number]>([
    ['more successes than failures: halved', { succeeded: 2, unwell: 1 }, 4_000],
    ['refusals do not count', { succeeded: 1, refused: 9 }, 4_000],
    ['as many as failures: kept', { succeeded: 2, unwell: 1, overloaded: 1 }, 8_000],
    ['nothing is answered: kept', {}, 8_000],
  ])('the cool-down is remembered: %s', (_, news, expected) => {
    expect(step(draining({ cool_down_ms: 8_000 }), told(news))).toMatchObject({ cool_down_ms: expected });
  });

  test('it is never shorter than the first', () => {
    expect(step(draining({ cool_down_ms: 1_500 }), told({ succeeded: 1 }))).toMatchObject({
      cool_down_ms: 1_000,
    });
  });
});

describe('nothing but failures', () => {
  test('since the first tick that heard of one, through ticks that hear of none', () => {
    const first = step(draining(), told({ unwell: 1 }));
    expect(first).toMatchObject({ failing_since: '2026-11-14T10:00:30.000Z' });
    expect(step(first, told({ unwell: 1 }), 31)).toMatchObject({ failing_since: '2026-11-14T10:00:30.000Z' });
  });

  test('no more, once there was a success', () => {
    const failing = draining({ failing_since: NINE });
    expect(step(failing, told({ succeeded: 1, unwell: 3 }))).not.toHaveProperty('failing_since');
    expect(step(failing, told({}))).toMatchObject({ failing_since: NINE });
  });
});

test('the next tick is a second later', () => {
  expect(step(draining(), told({})).tick_at).toBe('2026-11-14T10:00:31.000Z');
});

test('a drain remembers why it drains, until it is over', () => {
  const crowded: Circuit = draining({ cause: 'crowded', answers: NO_ANSWERS });
  expect(step(crowded, told({ succeeded: 1 }))).toMatchObject({ cause: 'crowded' });
  expect(step(crowded, told({ unwell: 20 }))).not.toHaveProperty('cause');
});
