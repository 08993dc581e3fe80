import { addedTo, MAX_LISTED, withAgain, withNews, withOlder } from '../../../console/messages/merge.ts';
import { fateOf, lastAnswer } from '../../../console/messages/message-state.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { spoken } from './spoken.ts';

const message = (minute: number, over: Partial<MessageSummary> = {}) =>
  ({
    message_id: `msg_${minute}`,
    admitted_at: `2026-11-23T11:${String(minute).padStart(2, '0')}:00.000Z`,
    state: 'succeeded',
    ended_at: '2026-11-23T12:00:00.000Z',
    ...over,
  }) as MessageSummary;
const { ended_at: _, ...open } = message(0, { state: 'retrying' });
/** One that has not ended. */
const retried = (minute: number) => ({ ...open, ...pickId(message(minute)) }) as MessageSummary;
const pickId = ({ message_id, admitted_at }: MessageSummary) => ({ message_id, admitted_at });
const ids = ({ messages }: { readonly messages: readonly MessageSummary[] }) =>
  messages.map(({ message_id }) => message_id.slice('msg_'.length));

describe('a list whose first page is read again', () => {
  const listed = { messages: [message(4), message(3), message(2), message(1)], next: { cursor: 'older' } };

  test('gets what is new on top, and keeps what had been read below the page', () => {
    const page = { messages: [message(6), message(5), message(4)], next_cursor: 'behind 4' };
    expect(ids(withNews(listed, page))).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(withNews(listed, page).next).toEqual({ cursor: 'older' });
  });

  test('shows a new state in its place', () => {
    const page = { messages: [message(4, { state: 'exhausted' }), message(3)], next_cursor: 'behind 3' };
    expect(withNews(listed, page).messages.map(({ state }) => state)[0]).toBe('exhausted');
  });

  test('loses what fits the filter no more', () => {
    const page = { messages: [message(4), message(2)], next_cursor: 'behind 2' };
    expect(ids(withNews(listed, page))).toEqual(['4', '2', '1']);
  });

  test('begins anew when more has come than a page holds, rather than hide what is between', () => {
    const page = { messages: [message(9), message(8)], next_cursor: 'behind 8' };
    expect(withNews(listed, page)).toEqual({ messages: page.messages, next: { cursor: 'behind 8' } });
  });

  test('is what the page says when there is no other page', () => {
    expect(ids(withNews(listed, { messages: [message(2)] }))).toEqual(['2']);
    expect(withNews(listed, { messages: [] })).toEqual({ messages: [], next: undefined });
  });

  test('grows no longer than a limit, and continues at its end, unless older ones were asked for', () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...message(0),
        message_id: `msg_${from - index}`,
        admitted_at: new Date((from - index) * 1_000).toISOString(),
      }));
    const full = { messages: many(200, MAX_LISTED), next: { cursor: 'behind 1' } };
    const page = { messages: many(203, 50), next_cursor: 'behind 154' };
    expect(withNews(full, page).messages).toHaveLength(MAX_LISTED);
    expect(withNews(full, page).messages.at(-1)?.message_id).toBe('msg_4');
    expect(withNews(full, page).next).toEqual({ until: new Date(4_001).toISOString() });
    const longer = { messages: many(200, 200 + 50), next: { cursor: 'x' } };
    expect(withNews(longer, page).messages).toHaveLength(250);
  });

  test('stays when a page is empty and others may follow', () => {
    expect(withNews(listed, { messages: [], next_cursor: 'further back' })).toBe(listed);
  });
});

describe('below the first page', () => {
  const listed = {
    messages: [message(9), message(8), retried(7), message(6), retried(5), message(4)],
    next: { cursor: 'older' },
  };

  test('what is listed only now comes into its place, and is told as new', () => {
    const page = { messages: [message(7), message(6, { message_id: 'msg_late' })], next_cursor: 'behind' };
    const again = withAgain(listed, page, '2026-11-23T11:07:00.001Z');
    expect(addedTo(listed, again).map(({ message_id }) => message_id)).toEqual(['msg_late']);
  });

  test('what has changed changes in its place, and what fits no more goes', () => {
    const page = { messages: [message(7), message(5)], next_cursor: 'behind 5' };
    const again = withAgain(listed, page, '2026-11-23T11:07:00.001Z');
    expect(ids(again)).toEqual(['9', '8', '7', '5', '4']);
    expect(again.messages.every(({ state }) => state === 'succeeded')).toBe(true);
    expect(again.next).toEqual({ cursor: 'older' });
  });

  test('a page that looked in vain changes nothing, the last one ends the list', () => {
    expect(withAgain(listed, { messages: [], next_cursor: 'further back' }, 'x')).toBe(listed);
    const last = withAgain(listed, { messages: [message(7)] }, '2026-11-23T11:07:00.001Z');
    expect([ids(last), last.next]).toEqual([['9', '8', '7'], undefined]);
  });
});

test('an older page continues the list, without repeating', () => {
  const listed = { messages: [message(4), message(3)], next: { cursor: 'older' } };
  expect(withOlder(listed, { messages: [message(3), message(2)] })).toEqual({
    messages: [message(4), message(3), message(2)],
    next: undefined,
  });
});

test.each<[Partial<Parameters<typeof fateOf>[0]>, string]>([
  [
    { state: 'cancelled', state_reason: 'disabled', ended_at: '11:09' },
    'Cancelled at 11:09: it came after the subscription had been disabled for 76 hours.',
  ],
  [
    { state: 'retrying', next_attempt_at: '11:10', expires_at: '15:00' },
    'The last attempt failed. Next try ~11:10. It is sent no more after 15:00.',
  ],
  [
    { state: 'parked', state_reason: 'circuit_open' },
    'It waits because its endpoint fails. The next try of its endpoint, by any message, ~11:12.',
  ],
])('of %j is said: %s', (given, text) => {
  const words = { at: (iso: string) => iso, away: (iso: string) => `~${iso}` };
  expect(spoken(fateOf(given as Parameters<typeof fateOf>[0], '11:12'), words)).toBe(text);
});

test('of one that waits behind another is said which, where its payment tells', () => {
  const words = { at: (iso: string) => iso, away: (iso: string) => `~${iso}` };
  const wait = [
    'It waits behind',
    { to: { screen: 'message' as const, id: 'msg_0' }, text: 'card_payment_started' },
    '.',
  ];
  const parked = { state: 'parked', state_reason: 'behind_earlier', expires_at: '15:00' } as const;
  expect(spoken(fateOf(parked, undefined, wait), words)).toBe(
    'It waits behind card_payment_started. It is sent no more after 15:00.',
  );
});

test('the last answer is a status, or why there was none', () => {
  expect(lastAnswer(message(1, { last_status_code: 503, last_failure_class: 'http_status' }))).toBe('503');
  expect(lastAnswer(message(1, { last_failure_class: 'timeout' }))).toBe('no answer in time');
  expect(lastAnswer(message(1))).toBeUndefined();
});
