import {
  commonFailure,
  firstTriedUntil,
  healthOf,
  waitingOf,
} from '../../../console/subscriptions/health.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { spoken } from './spoken.ts';

const words = { at: (iso: string) => iso.slice(11, 16), away: (iso: string) => `${iso.slice(17, 19)} s` };
type Seen = Omit<Parameters<typeof healthOf>[0], 'subscription_id'>;
const health = (seen: Seen, known?: Parameters<typeof healthOf>[1]) =>
  healthOf({ subscription_id: 'sub_1', ...seen }, known);
const text = (...given: Parameters<typeof health>) => spoken(health(...given).sentence, words);
const attempted = (over: Partial<MessageSummary>) =>
  ({ last_attempt_at: '2026-11-23T11:09:00.000Z', ...over }) as MessageSummary;
const refused = attempted({ last_failure_class: 'http_status', last_status_code: 503 });

test('a failing endpoint is told with since when, what it answers, the next try and what waits', () => {
  const circuit = {
    state: 'open',
    since: '2026-11-23T11:20:00.000Z',
    in_trouble_since: '2026-11-23T11:09:00.000Z',
    next_probe_at: '2026-11-23T11:22:40.000Z',
  } as const;
  const known = {
    waiting: { count: 1_000, is_more: true, oldest_admitted_at: '2026-11-23T11:08:00.000Z' },
    failure: { answer: '503', share: 0.82 },
  };
  expect(text({ state: 'active', circuit }, known)).toBe(
    'Failing since 11:09: 503 from 82 %. Next try 40 s. More than 1,000 waiting since 11:08.',
  );
  expect(text({ state: 'active', circuit })).toBe('Failing since 11:09. Next try 40 s.');
});

test.each([
  ['active', 'closed', 'good', 'Delivering'],
  ['active', 'half_open', 'bad', 'Failing'],
  ['active', 'draining', 'waits', 'Recovering'],
  ['unproven', 'open', 'waits', 'Unproven'],
  ['paused', 'open', 'off', 'Paused'],
  ['disabled', 'open', 'bad', 'Disabled'],
] as const)('%s with a circuit that is %s is %s: %s', (state, circuit, tone, word) => {
  expect(health({ state, circuit: { state: circuit } })).toMatchObject({ tone, word });
});

test('an unproven endpoint is told with what waits, and leads to its challenge', () => {
  const seen = { state: 'unproven', challenge_id: 'msg_1', circuit: { state: 'open' } } as const;
  expect(text(seen, { waiting: { count: 3, is_more: false } })).toBe(
    'Its endpoint has yet to answer the challenge. Messages wait until it has, for 76 hours at most. 3 waiting.',
  );
  expect(health(seen).sentence).toContainEqual({
    to: { screen: 'message', id: 'msg_1' },
    text: 'the challenge',
  });
});

test.each([
  ['crowded', 'Slow'],
  ['overloaded', 'Slowed down'],
] as const)('an endpoint that never failed is not said to recover: %s is %s', (cause, word) => {
  expect(health({ state: 'active', circuit: { state: 'draining', cause } })).toMatchObject({
    tone: 'waits',
    word,
  });
});

test('what waits, and what fails, leads to these messages', () => {
  const waiting = { count: 90, is_more: false };
  const to = (filter: object) => ({ screen: 'messages', id: 'sub_1', filter });
  const failing = { state: 'active', circuit: { state: 'half_open' } } as const;
  expect(health(failing, { waiting, failure: { answer: '500', share: 1 } }).sentence).toEqual(
    expect.arrayContaining([
      { to: to({}), text: '500 from 100 %' },
      { to: to({ state: 'parked' }), text: '90 waiting' },
    ]),
  );
  const well = { subscription_id: 'sub_1', state: 'active', circuit: { state: 'closed' } } as const;
  expect(waitingOf(well)).toEqual(to({ state: 'retrying' }));
});

test('sending that was stopped by hand is told from one that fails', () => {
  const byHand = { state: 'open', since: '2026-11-23T11:09:00.000Z' } as const;
  expect(health({ state: 'active', circuit: byHand })).toMatchObject({
    tone: 'off',
    word: 'Stopped by hand',
  });
  expect(text({ state: 'active', circuit: byHand })).toBe(
    'Stopped by hand since 11:09. We hold its messages back until we resume sending.',
  );
});

test('the failure that is told is the most common one, as a share of all attempts', () => {
  const timeout = attempted({ last_failure_class: 'timeout' });
  const fine = attempted({ last_status_code: 200 });
  const waiting = { state: 'parked' } as MessageSummary;
  expect(commonFailure([refused, refused, timeout, fine, waiting])).toEqual({
    answer: '503',
    share: 0.5,
    message: refused,
  });
  expect(commonFailure([timeout])).toEqual({ answer: 'no answer in time', share: 1, message: timeout });
  expect(commonFailure([fine, waiting])).toBeUndefined();
});

test.each([
  ['the trouble began', '10:00:00.000Z', '10:00:00.120Z', '10:00:00.121Z'],
  ['the oldest message that waits was accepted', '10:00:30.000Z', '10:00:00.120Z', '10:00:30.001Z'],
] as const)('what waits untried hides what was accepted until %s', (_, oldest, began, until) => {
  const day = '2026-11-23T';
  expect(
    firstTriedUntil({ in_trouble_since: `${day}${began}` }, { oldest_admitted_at: `${day}${oldest}` }),
  ).toBe(`${day}${until}`);
});
