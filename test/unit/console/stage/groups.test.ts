import { effectOf, type Operated } from '../../../../console/stage/effect.ts';
import { groupsOf } from '../../../../console/stage/groups.ts';
import type { EndpointView } from '../../../../functions/core/trouble/endpoint-view.ts';

const answering = (status: number) =>
  ({ last_failure_class: 'http_status', last_status_code: status }) as const;
const seen = (...endpoints: EndpointView[]) =>
  groupsOf(endpoints).map(({ cause, endpoints: those }) => [
    cause,
    those.map(({ subscription_id }) => subscription_id),
  ]);

test('endpoints with the same trouble stand together, in the order in which they came', () => {
  expect(
    seen(
      endpoint('a', answering(503)),
      endpoint('b', { last_failure_class: 'timeout' }),
      endpoint('c', answering(503)),
      endpoint('d', answering(500)),
    ),
  ).toEqual([
    ['answers 503', ['a', 'c']],
    ['no answer in time', ['b']],
    ['answers 500', ['d']],
  ]);
});

test('what fails comes before what recovers, and that before what somebody stopped; the largest first', () => {
  expect(
    seen(
      endpoint('paused', { state: 'paused', health: 'paused', waiting: 900 }),
      endpoint('draining', { health: 'recovering', waiting: 800 }),
      endpoint('few', { last_failure_class: 'connect' }),
      endpoint('many', { last_failure_class: 'dns', waiting: 2 }),
      endpoint('by hand', { health: 'open by hand', waiting: 901 }),
    ).map(([cause]) => cause),
  ).toEqual(['host not found', 'no connection', 'recovering', 'stopped by hand', 'paused by its partner']);
});

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

/** An endpoint in trouble, as the API answers it. */
const endpoint = (subscription_id: string, more: Partial<EndpointView> = {}): EndpointView => ({
  service_id: 'shop',
  subscription_id,
  state: 'active',
  circuit: { state: 'open' },
  health: 'failing',
  waiting: 1,
  attempts: 1,
  failed_attempts: 1,
  refused_payments: 0,
  ...more,
});
