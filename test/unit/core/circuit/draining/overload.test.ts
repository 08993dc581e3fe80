import { NO_ANSWERS } from '../../../../../functions/core/attempt/answers.ts';
import type { In } from '../../../../../functions/core/circuit/circuit.ts';
import { nextRate } from '../../../../../functions/core/circuit/overload.ts';
import { answers, failed, step, succeeded, timerFired } from '../given/circuit-inputs.ts';
import { closed, draining, open } from '../given/circuits.ts';

const overloaded = failed('a', { answer: 'overloaded' });

test('the first answer that asks for fewer requests starts a drain that paces them', () => {
  expect(step(closed(), overloaded)).toMatchObject({ state: 'draining', cause: 'overloaded', rate: 5 });
});

test('so does one to a message that failed before', () => {
  const again = failed('a', { answer: 'overloaded', isNews: false });
  expect(step(closed(), again)).toMatchObject({ state: 'draining', cause: 'overloaded' });
});

const rateAfter = (rate: number | undefined, news: object, calm_timers?: number) =>
  nextRate({ rate, calm_timers }, { ...NO_ANSWERS, ...news });

describe('the rate', () => {
  test('is what the endpoint took, once it has refused any as too many, at least one', () => {
    expect(rateAfter(undefined, { succeeded: 7, refused: 1, overloaded: 2 })).toEqual({
      rate: 8,
      calm_timers: 0,
    });
    expect(rateAfter(20, { overloaded: 20 })).toEqual({ rate: 1, calm_timers: 0 });
  });

  test('stays for three timers without a refusal, then grows by a tenth, at least by one', () => {
    expect(rateAfter(5, { succeeded: 5 }, 0)).toEqual({ rate: 5, calm_timers: 1 });
    expect(rateAfter(5, { succeeded: 5 }, 2)).toEqual({ rate: 6, calm_timers: 0 });
    expect(rateAfter(50, { succeeded: 50 }, 2)).toEqual({ rate: 55, calm_timers: 0 });
  });

  test('doubles in a drain that has met no refusal, until it is no bound any more', () => {
    expect(rateAfter(5, { succeeded: 5 })).toEqual({ rate: 10 });
    expect(rateAfter(300, { succeeded: 300 })).toEqual({});
  });

  test('lasts through probes, of which there are no more, until the circuit closes', () => {
    const probed = step(open({ rate: 2 }), timerFired(['a', 'b', 'c']), 10);
    expect(probed).toMatchObject({ state: 'half_open', rate: 2, probes: ['a', 'b'] });
    expect(step(probed, succeeded('a', true))).toMatchObject({ state: 'draining', rate: 2 });
    const quiet = draining({ rate: 2, quiet_since: '2026-11-14T09:00:00.000Z' });
    expect(step(quiet, timerFired([]))).not.toHaveProperty('rate');
  });

  test('is learned from the refusals that open the circuit, too', () => {
    const before = draining({ rate: 5, answers: NO_ANSWERS });
    const after = step(before, timerFired(['a'], { answers: answers({ overloaded: 20 }) }), 1);
    expect(after).toMatchObject({ state: 'open', rate: 1 });
  });

  test('does not grow without answers, and there is none before the first refusal', () => {
    expect(rateAfter(5, {}, 2)).toEqual({ rate: 5, calm_timers: 2 });
    expect(rateAfter(undefined, { succeeded: 5, unwell: 3 })).toEqual({});
  });
});

test('a drain does not end while what was refused waits for its time: closed, all of it would be sent at once', () => {
  const quiet = draining({ rate: 5, cause: 'overloaded', quiet_since: '2026-11-14T10:00:00.000Z' });
  const waiting = (seconds: number) =>
    timerFired([], {
      answers: answers({}),
      backlog: {
        keys: [
          {
            key: 'a',
            backloggedAtMs: Date.parse('2026-11-14T10:00:30.000Z') + seconds * 1_000,
            isInHand: true,
          },
        ],
      },
    });
  expect(step(quiet, waiting(50))).toMatchObject({ state: 'draining' });
  expect(step(quiet, waiting(61))).toMatchObject({ state: 'closed' });
  expect(step(quiet, timerFired([]))).toMatchObject({ state: 'closed' });
});

describe('a closed circuit looks at what waits for a later time', () => {
  const CLOSED_AT = '2026-11-14T10:00:30.000Z';
  const waitingUntil = (seconds: number, isLimited = false) =>
    timerFired([], {
      isLimited,
      backlog: {
        keys: [{ key: 'a', backloggedAtMs: Date.parse(CLOSED_AT) + seconds * 1_000, isInHand: true }],
      },
    });
  const timerAfter = (input: ReturnType<typeof waitingUntil>, since = CLOSED_AT) =>
    (step(closed({ since }), input) as In<'closed'>).timer_at;

  test('when that has come, at the latest', () => {
    expect(timerAfter(waitingUntil(20), '2026-11-14T09:30:00.000Z')).toBe('2026-11-14T10:00:50.000Z');
    expect(timerAfter(waitingUntil(20), '2026-11-10T10:00:00.000Z')).toBe('2026-11-14T10:00:50.000Z');
  });

  test('and before, for what joins the backlog of a rate limit meanwhile', () => {
    const looked = step(closed({ idle_timers: 0 }), waitingUntil(3_600, true));
    expect(looked).toMatchObject({ idle_timers: 1, timer_at: '2026-11-14T10:00:31.000Z' });
    const joined = step(closed({ timer_at: '2026-11-14T10:01:00.000Z' }), { kind: 'joined' });
    expect(joined).toMatchObject({ timer_at: CLOSED_AT });
  });
});
