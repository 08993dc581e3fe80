import { effectOf, type Operated } from '../../../../console/stage/effect.ts';

const planned = (to: Operated['to']): Operated => ({ dry_run: true, to });
const said = (...given: Parameters<typeof effectOf>) => effectOf(...given).join(' ');

test('before sending is stopped it is said what that keeps, how much, and what it costs', () => {
  expect(said('open', planned('open'), 90)).toBe(
    'Nothing more is sent to it, not even to see whether it is back, until somebody resumes. What waits stays waiting, now 90 messages, and so does what comes. What is more than 76 hours old by then is given up.',
  );
});

test('before a backlog is sent it is said how much, at which pace, and what follows', () => {
  expect(said('drain', planned('draining'), 1_000)).toBe(
    'What waits is sent in order, now 1,000 or more messages: a few payments at a time at first, then more. After that, messages are sent as they come. If the endpoint still fails, they wait again.',
  );
});

test('resuming sends what waits first, and nothing is said to wait where nothing does', () => {
  expect(said('close', planned('draining'), 1)).toContain('now 1 message; then messages as they come');
  expect(said('close', planned('closed'), 0)).toContain('as they come: nothing waits');
});

test('afterwards it is said what was done', () => {
  expect(said('drain', { dry_run: false, to: 'draining' }, 3)).toBe('The backlog is being sent.');
  expect(said('open', { dry_run: false, to: 'open' }, 3)).toBe('Sending has stopped.');
});
