import {
  bySubscription,
  type Course,
  compressed,
  lanesOf,
  waitOf,
} from '../../../console/payments/timeline.ts';
import { spoken } from './spoken.ts';

const at = (second: number) => new Date(second * 1_000).toISOString();
const course = (over: Partial<Course>): Course => ({
  message_id: 'msg_1',
  subscription_id: 'sub_a',
  event_type: 'card_payment_started',
  state: 'succeeded',
  attempt_count: 1,
  entries: [
    { at: at(1), kind: 'occurred' },
    { at: at(2), kind: 'held', until: at(5) },
    { at: at(5), kind: 'attempted', failure_class: 'timeout' },
    { at: at(6), kind: 'attempted', status_code: 200 },
    { at: at(7), kind: 'ended' },
  ],
  ...over,
});

test('each subscription has a lane, with its messages from the oldest', () => {
  const newest = course({ message_id: 'msg_2' });
  const other = course({ message_id: 'msg_3', subscription_id: 'sub_b' });
  const lanes = lanesOf({ messages: [newest, other, course({})] }, 0);
  expect(
    lanes.map(({ subscriptionId, rows }) => [subscriptionId, rows.map((row) => row.course.message_id)]),
  ).toEqual([
    ['sub_a', ['msg_1', 'msg_2']],
    ['sub_b', ['msg_3']],
  ]);
});

test('first comes the subscription where something still fails, then what was given up', () => {
  const of = (subscription_id: string, state: Course['state']) => course({ subscription_id, state });
  const messages = [
    of('sub_a', 'succeeded'),
    of('sub_b', 'exhausted'),
    of('sub_c', 'succeeded'),
    of('sub_c', 'retrying'),
  ];
  expect(bySubscription(messages).map(([id, { length }]) => [id, length])).toEqual([
    ['sub_c', 2],
    ['sub_b', 1],
    ['sub_a', 1],
  ]);
});

test('a row goes from the event to the end, with what held it and how each attempt went', () => {
  const [lane] = lanesOf({ messages: [course({})] }, 60_000);
  expect(lane?.rows[0]).toMatchObject({
    fromMs: 1_000,
    toMs: 7_000,
    isOpen: false,
    waits: [{ fromMs: 2_000, toMs: 5_000 }],
    attempts: [
      { atMs: 5_000, isGood: false },
      { atMs: 6_000, isGood: true },
    ],
  });
});

test('what has not ended continues to now', () => {
  const waiting = course({
    state: 'parked',
    entries: [
      { at: at(1), kind: 'occurred' },
      { at: at(2), kind: 'held' },
    ],
  });
  const [lane] = lanesOf({ messages: [waiting] }, 60_000);
  expect(lane?.rows[0]).toMatchObject({
    toMs: 60_000,
    isOpen: true,
    waits: [{ fromMs: 2_000, toMs: 60_000 }],
  });
});

test('a row names the message that it waits behind, and never runs backwards', () => {
  const head = course({ message_id: 'msg_0', event_type: 'invoice.paid', state: 'retrying' });
  const waiting = course({ waits_for: { reason: 'behind_earlier', message_id: 'msg_0' } });
  const [lane] = lanesOf({ messages: [waiting, head] }, 3_000);
  expect(lane?.rows.map(({ behind, toMs }) => [behind, toMs])).toEqual([
    [undefined, 7_000],
    ['invoice.paid', 7_000],
  ]);
});

test('names in lanes lack the words that all have, and what has no room', () => {
  const issued = course({ event_type: 'invoice.issued' });
  const long = course({ event_type: 'invoice.of-a-hundred-items.voided' });
  const [lane] = lanesOf({ messages: [issued, long] }, 0);
  expect(lane?.rows.map(({ name }) => name)).toEqual(['of-a-hundred-items.voided', 'issued']);
  const [alone] = lanesOf({ messages: [long] }, 0);
  expect(alone?.rows[0]?.name).toBe('invoice.of-a-hundred-item…');
});

test('on the scale order is kept, and milliseconds can be told apart beside hours', () => {
  const quick = course({
    entries: [
      { at: at(0), kind: 'occurred' },
      { at: at(0.1), kind: 'ended' },
    ],
  });
  const late = course({
    entries: [
      { at: at(0), kind: 'occurred' },
      { at: at(7_200), kind: 'ended' },
    ],
  });
  const { instants, places } = compressed(lanesOf({ messages: [late, quick] }, 0));
  expect(instants).toEqual([0, 100, 7_200_000]);
  expect(places[0]).toBe(0);
  expect(places[1]).toBeGreaterThan(0.05);
  expect(places[2]).toBe(1);
  expect(compressed([])).toEqual({ instants: [], places: [] });
});

test('a message that waits says for what and until when', () => {
  const words = { at: (iso: string) => iso, away: (iso: string) => `~${iso}` };
  const wait = (waits_for: Course['waits_for']) => spoken(waitOf({ waits_for }, [course({})]) ?? [], words);
  expect(wait({ reason: 'next_attempt', until: '11:09' })).toBe('The last attempt failed. Next try ~11:09.');
  expect(wait({ reason: 'behind_earlier' })).toBe('It waits behind an earlier message of its payment.');
  expect(wait({ reason: 'behind_earlier', message_id: 'msg_elsewhere' })).toBe(
    'It waits behind an earlier message of its payment.',
  );
  expect(wait({ reason: 'behind_earlier', message_id: 'msg_1', until: '11:09' })).toBe(
    'It waits behind card_payment_started. The next try of that one ~11:09.',
  );
  const failing = course({ waits_for: { reason: 'circuit_open', until: '11:09' } });
  const behindIt = { reason: 'behind_earlier', message_id: 'msg_1', until: '11:09' } as const;
  expect(spoken(waitOf(failing, [failing]) ?? [], words)).toBe(
    'It waits because its endpoint fails. The next try of its endpoint, by any message, ~11:09.',
  );
  expect(spoken(waitOf({ waits_for: behindIt }, [failing]) ?? [], words)).toBe(
    'It waits behind card_payment_started. The next try of its endpoint, by any message, ~11:09.',
  );
  expect(waitOf({}, [])).toBeUndefined();
});
