import {
  detailIn,
  failureIn,
  fieldErrors,
  mayPass,
  problemKind,
  waitAfter,
} from '../../../console/api/failure.ts';
import { adviceOf } from '../../../console/messages/advice.ts';
import { detailOf, problem } from '../../../functions/core/api/problem.ts';
import { FAILURE_CLASSES } from '../../../functions/core/attempt/attempt.ts';

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

type Message = Parameters<typeof adviceOf>[0];
const message = (state: Message['state'], ...attempts: Partial<Message['attempts'][number]>[]) =>
  adviceOf({
    state,
    attempts: attempts.map((one, index) => ({
      attempt: index + 1,
      started_at: '2026-11-23T11:09:02.120Z',
      duration_ms: 12,
      ...one,
    })),
  });
const answered = (status_code: number) => ({ failure_class: 'http_status', status_code }) as const;

test('the latest failed attempt is told, with what to do first', () => {
  expect(message('exhausted', answered(404), answered(503))).toMatchObject({
    attempt: { attempt: 2 },
    failed: 'answered 503',
    first: 'look into the log of the endpoint at that time: it broke down over this webhook.',
    isOfUrl: false,
  });
});

test.each([
  [301, 'we follow no redirects', true],
  [400, 'it did not understand this webhook', false],
  [401, 'which secret the endpoint verifies with', false],
  [404, 'has the right path', true],
  [409, 'it refused this webhook', false],
  [413, 'take bodies of this size', false],
  [429, 'set a rate limit', false],
  [500, 'it broke down', false],
])('of an answer %d is said: … %s', (status, first, isOfUrl) => {
  expect(message('retrying', answered(status))).toMatchObject({
    first: expect.stringContaining(first),
    isOfUrl,
  });
});

test.each(FAILURE_CLASSES)('for the failure %s there is something to do', (failure_class) => {
  expect(message('retrying', { failure_class })?.first).toMatch(/^[a-z].{20,}\.$/);
});

test('nothing is advised where nothing was tried, or the last attempt delivered', () => {
  expect(message('parked')).toBeUndefined();
  expect(message('retrying', answered(503), { status_code: 200 })).toBeUndefined();
  expect(message('succeeded', answered(503))).toBeUndefined();
});
