import { sinceOf, takenText } from '../../../console/subscriptions/form/preview.ts';

const message = (taken: boolean) => ({
  message_id: 'msg_1',
  event_type: 'card_payment_captured',
  payment_id: 'pay_1',
  admitted_at: '2026-11-20T10:00:00.000Z',
  taken,
});

test.each([
  [[true, false, true], false, 'Takes 2 of 3.'],
  [[false], true, 'Takes 0 of the newest 1.'],
  [[], false, 'There is no event to try it on.'],
])('of events that are taken or not, %j, it is said how many', (each, is_more, text) => {
  expect(takenText({ is_more, messages: each.map(message) })).toBe(text);
});

test('a period begins so long ago, and the newest events have none', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.000Z');
  expect([sinceOf('week', nowMs), sinceOf('newest', nowMs)]).toEqual(['2026-11-13T10:00:00.000Z', undefined]);
});
