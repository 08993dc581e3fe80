import { adviceOf } from '../../../console/messages/advice.ts';
import { FAILURE_CLASSES } from '../../../functions/core/attempt/attempt.ts';

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
