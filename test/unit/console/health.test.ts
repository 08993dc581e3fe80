import { byTrouble } from '../../../console/subscriptions/by-trouble.ts';
import {
  commonFailure,
  firstTriedUntil,
  healthOf,
  waitingOf,
} from '../../../console/subscriptions/health.ts';
import { lastDay, totals } from '../../../console/subscriptions/one/hours.ts';
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
  ['paused', 'open', 'off', 'Paused'],
  ['disabled', 'open', 'bad', 'Disabled'],
] as const)('%s with a circuit that is %s is %s: %s', (state, circuit, tone, word) => {
  expect(health({ state, circuit: { state: circuit } })).toMatchObject({ tone, word });
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
  expect(commonFailure([refused, refused, timeout, fine, waiting])).toEqual({ answer: '503', share: 0.5 });
  expect(commonFailure([timeout])).toEqual({ answer: 'no answer in time', share: 1 });
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

type One = Parameters<typeof byTrouble>[0][number] & { readonly name: string };
const one = (name: string, circuit: One['circuit'], over: Partial<One> = {}): One => ({
  name,
  state: 'active',
  circuit,
  ...over,
});
const since = (minute: number) => ({
  in_trouble_since: `2026-11-23T11:0${minute}:00.000Z`,
  next_probe_at: '2026-11-23T12:00:00.000Z',
});

test('trouble comes first, the longest of its kind before the others, and what is well stays in its order', () => {
  const given = [
    one('well', { state: 'closed' }),
    one('paused', { state: 'open' }, { state: 'paused' }),
    one('recovers', { state: 'draining', ...since(1) }),
    one('fails lately', { state: 'open', ...since(5) }),
    one('stopped by hand', { state: 'open', in_trouble_since: since(0).in_trouble_since }),
    one('fails for long', { state: 'half_open', ...since(2) }),
    one('also well', { state: 'closed' }),
    one('disabled', { state: 'open' }, { state: 'disabled' }),
  ];
  expect(byTrouble(given).map(({ name }) => name)).toEqual([
    'disabled',
    'fails for long',
    'fails lately',
    'recovers',
    'stopped by hand',
    'paused',
    'well',
    'also well',
  ]);
});

const period = (hour: number, delivered: number, failed_attempts: number, p95?: number) => ({
  since: new Date(Date.UTC(2026, 10, 22, hour)).toISOString(),
  delivered,
  failed_attempts,
  exhausted: 0,
  cancelled: 0,
  ...(p95 === undefined ? {} : { time_to_send_p95_ms: p95 }),
});

test('a day is the last 24 hours of what the API has', () => {
  const hours = lastDay(Array.from({ length: 48 }, (_, hour) => period(hour, hour, 0)));
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)?.delivered).toBe(47);
});

test('an hour without attempts has no rate, rather than a bad one', () => {
  const hours = lastDay([period(0, 3, 1), period(1, 0, 0), period(2, 0, 4)]);
  expect(hours.map(({ rate }) => rate)).toEqual([0.75, null, 0]);
  expect(totals(hours)).toEqual({ delivered: 3, failed: 5, rate: 0.375, p95: null });
  expect(totals([])).toEqual({ delivered: 0, failed: 0, rate: null, p95: null });
});

test('an hour without a first attempt has no time to send, and a day tells that of its worst hour', () => {
  const hours = lastDay([period(0, 3, 1, 76), period(1, 0, 2), period(2, 1, 0, 215), period(3, 1, 0, 9)]);
  expect(hours.map(({ p95 }) => p95)).toEqual([76, null, 215, 9]);
  expect(totals(hours).p95).toBe(215);
});
