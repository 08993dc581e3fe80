import {
  type AnswerKind,
  answerOf,
  answersBetween,
  NO_ANSWERS,
} from '../../../../functions/core/attempt/answers.ts';
import type { AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import { answers } from '../circuit/given/circuit-inputs.ts';

const refusedWith = (status_code: number, response_headers = {}): AttemptResult => ({
  status_code,
  failure_class: 'http_status',
  failure_reason: `answered ${status_code}`,
  duration_ms: 20,
  response_headers,
});
const broken = (failure_class: NonNullable<AttemptResult['failure_class']>): AttemptResult => ({
  failure_class,
  failure_reason: 'broken',
  duration_ms: 20,
});
const RETRY_AFTER = { 'retry-after': '30' };

test.each<[string, AttemptResult, AnswerKind]>([
  ['200', { status_code: 200, response_body: '', duration_ms: 20 }, 'succeeded'],
  ['400', refusedWith(400), 'refused'],
  ['404', refusedWith(404), 'refused'],
  ['410', refusedWith(410), 'refused'],
  ['422 with Retry-After', refusedWith(422, RETRY_AFTER), 'refused'],
  ['408, which is about the connection', refusedWith(408), 'unwell'],
  ['425, which is about the connection', refusedWith(425), 'unwell'],
  ['429', refusedWith(429), 'overloaded'],
  ['429 with Retry-After', refusedWith(429, RETRY_AFTER), 'overloaded'],
  ['503 with Retry-After', refusedWith(503, RETRY_AFTER), 'overloaded'],
  ['503', refusedWith(503), 'unwell'],
  ['500 with Retry-After', refusedWith(500, RETRY_AFTER), 'unwell'],
  ['302', refusedWith(302), 'unwell'],
  ['no answer in time', broken('timeout'), 'unwell'],
  ['no connection', broken('connect'), 'unwell'],
])('an endpoint that answers %s', (_, result, kind) => {
  expect(answerOf(result)).toBe(kind);
});

test('a whole answer that came to grief after its status is judged by what went wrong', () => {
  expect(answerOf({ ...broken('timeout'), status_code: 404 })).toBe('unwell');
});

test('a time-out says nothing of an endpoint if its worker was stopped for a third of the time or longer', () => {
  const timeout = { ...broken('timeout'), duration_ms: 15_000 };
  expect(answerOf({ ...timeout, looked_late_ms: 5_001 })).toBeUndefined();
  expect(answerOf({ ...timeout, looked_late_ms: 5_000 })).toBe('unwell');
});

describe('between two readings', () => {
  const earlier = answers({ succeeded: 7, refused: 1, overloaded: 2, unwell: 3 });

  test('what was counted is the difference, kind by kind', () => {
    const later = answers({ succeeded: 9, refused: 4, overloaded: 2, unwell: 8 });
    expect(answersBetween(earlier, later)).toEqual({ succeeded: 2, refused: 3, overloaded: 0, unwell: 5 });
  });

  test('nothing was counted when there was no earlier one: what it holds may be days old', () => {
    expect(answersBetween(undefined, earlier)).toEqual(NO_ANSWERS);
  });

  test('nothing is known when there is no later one', () => {
    expect(answersBetween(earlier, undefined)).toEqual(NO_ANSWERS);
  });

  test.each(['succeeded', 'refused', 'overloaded', 'unwell'] as const)(
    'nothing is known when counting has begun anew: fewer that %s',
    (kind) => {
      const later = { ...answers({ succeeded: 50, refused: 50, overloaded: 50, unwell: 50 }), [kind]: 0 };
      expect(answersBetween(earlier, later)).toEqual(NO_ANSWERS);
    },
  );
});
