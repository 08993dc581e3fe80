import {
  detailIn,
  failureIn,
  fieldErrors,
  mayPass,
  problemKind,
  waitAfter,
} from '../../../console/api/failure.ts';
import { detailOf, problem } from '../../../functions/core/api/problem.ts';

test('a refusal tells its kind, its fields and when to try again', () => {
  const body = problem('malformed-request', '1 field is wrong', [
    { field: 'event_types.0', reason: 'is not known' },
  ]);
  const failure = failureIn(400, body, '7');
  expect(problemKind(failure)).toBe('malformed-request');
  expect(fieldErrors(failure)).toEqual({ 'event_types.0': 'is not known' });
  expect(failure).toMatchObject({ kind: 'refused', status: 400, retryAfterSeconds: 7 });
});

test('of a request with many mistakes each is named, and of any other refusal what the API says', () => {
  const errors = ['a', 'b', 'c', 'd'].map((field) => ({ field, reason: 'is missing' }));
  const many = problem('malformed-request', detailOf(errors, 'field'), errors);
  expect(detailIn(many)).toBe('a is missing; b is missing; c is missing; d is missing.');
  const refused = [{ field: 'callback_url', reason: 'must be https' }];
  expect(detailIn(problem('callback-url-refused', 'We refuse this URL.', refused))).toBe(
    'We refuse this URL.',
  );
  expect(detailIn(problem('malformed-request', 'The body is empty.'))).toBe('The body is empty.');
});

test('a token that is not accepted ends the session', () => {
  expect(failureIn(401, problem('unauthorized', 'This API token has expired.'), null)).toEqual({
    kind: 'signed_out',
    detail: 'This API token has expired.',
  });
});

test.each([undefined, 'text', { message: 'Service Unavailable' }, null])(
  'what answers %j is not the API',
  (body) => {
    expect(failureIn(503, body, null)).toEqual({ kind: 'unreadable', status: 503 });
  },
);

test('each failure in a row is followed by a longer wait, up to a minute and as long as the API asks', () => {
  const failure = failureIn(500, problem('internal', 'x'), null);
  expect([1, 2, 3, 9].map((count) => waitAfter(failure, count))).toEqual([2_000, 4_000, 8_000, 60_000]);
  expect(waitAfter(failureIn(429, problem('too-many-requests', 'x'), '90'), 1)).toBe(90_000);
});

test.each([
  [true, 'a lost connection', { kind: 'unreachable' } as const],
  [true, 'no answer in time', { kind: 'late' } as const],
  [true, 'something else that answers', failureIn(502, undefined, null)],
  [true, 'an error of ours', failureIn(500, problem('internal', 'x'), null)],
  [true, 'too many requests', failureIn(429, problem('too-many-requests', 'x'), null)],
  [false, 'a link that works no more', failureIn(403, problem('portal-code-refused', 'x'), null)],
  [false, 'a token that is not accepted', failureIn(401, problem('unauthorized', 'x'), null)],
])('it is %p that the same may succeed after %s', (may, _, failure) => {
  expect(mayPass(failure)).toBe(may);
});
