import { withNews, withOlder } from '../../../console/messages/merge.ts';
import { fateOf, lastAnswer } from '../../../console/messages/message-state.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { spoken } from './spoken.ts';

const message = (minute: number, over: Partial<MessageSummary> = {}) =>
  ({
    message_id: `msg_${minute}`,
    admitted_at: `2026-11-23T11:${String(minute).padStart(2, '0')}:00.000Z`,
    state: 'succeeded',
    ...over,
  }) as MessageSummary;
const ids = ({ messages }: { readonly messages: readonly MessageSummary[] }) =>
  messages.map(({ message_id }) => message_id.slice('msg_'.length));

describe('a list whose first page is read again', () => {
  const listed = { messages: [message(4), message(3), message(2), message(1)], cursor: 'older' };

  test('gets what is new on top, and keeps what had been read below the page', () => {
    const page = { messages: [message(6), message(5), message(4)], next_cursor: 'behind 4' };
    expect(ids(withNews(listed, page))).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(withNews(listed, page).cursor).toBe('older');
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
    expect(withNews(listed, page)).toEqual({ messages: page.messages, cursor: 'behind 8' });
  });

  test('is what the page says when there is no other page', () => {
    expect(ids(withNews(listed, { messages: [message(2)] }))).toEqual(['2']);
    expect(withNews(listed, { messages: [] })).toEqual({ messages: [], cursor: undefined });
  });

  test('stays when a page is empty and others may follow', () => {
    expect(withNews(listed, { messages: [], next_cursor: 'further back' })).toBe(listed);
  });
});

test('an older page continues the list, without repeating', () => {
  const listed = { messages: [message(4), message(3)], cursor: 'older' };
  expect(withOlder(listed, { messages: [message(3), message(2)] })).toEqual({
    messages: [message(4), message(3), message(2)],
    cursor: undefined,
  });
});

test.each<[Partial<Parameters<typeof fateOf>[0]>, string]>([
  [{ state: 'succeeded', ended_at: '11:09' }, 'Delivered at 11:09.'],
  [
    { state: 'exhausted', state_reason: 'schedule', ended_at: '11:09' },
    'Given up at 11:09: no retries are left.',
  ],
  [
    { state: 'retrying', next_attempt_at: '11:10', expires_at: '15:00' },
    'The last attempt failed. Next try in ~11:10. It is sent no more after 15:00.',
  ],
  [
    { state: 'parked', state_reason: 'circuit_open' },
    'It waits because its endpoint fails. Next try in ~11:12.',
  ],
  [{ state: 'parked', state_reason: 'paused' }, 'It waits because the subscription is paused.'],
])('of %j is said: %s', (given, text) => {
  const words = { at: (iso: string) => iso, away: (iso: string) => `~${iso}` };
  expect(spoken(fateOf(given as Parameters<typeof fateOf>[0], '11:12'), words)).toBe(text);
});

test('the last answer is a status, or why there was none', () => {
  expect(lastAnswer(message(1, { last_status_code: 503, last_failure_class: 'http_status' }))).toBe('503');
  expect(lastAnswer(message(1, { last_failure_class: 'timeout' }))).toBe('no answer in time');
  expect(lastAnswer(message(1))).toBeUndefined();
});
