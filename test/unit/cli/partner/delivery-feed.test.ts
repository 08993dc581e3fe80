import pc from 'picocolors';
import { deliveryFeed } from '../../../../cli/partner/delivery-feed.ts';
import { deliveryLine, FEED_TITLES } from '../../../../cli/partner/text/delivery-line.ts';
import type { MessageSummary } from '../../../../functions/core/message/message-view.ts';

const message: MessageSummary = {
  message_id: 'msg_1',
  event_id: 'pay_1_1',
  subscription_id: 'sub_1',
  payment_id: 'pay_1',
  event_type: 'card_payment_started',
  resource_type: 'payment',
  resource_id: 'pay_1',
  live: false,
  occurred_at: '2026-03-01T12:00:00.000Z',
  admitted_at: '2026-03-01T12:00:00.100Z',
  state: 'succeeded',
  attempt_count: 1,
  time_to_send_ms: 7.6,
  last_attempt_at: '2026-03-01T12:00:00.108Z',
  last_status_code: 200,
};
const news = { subscription: 'quick', message, orderingWaitMs: 0 };
const noColors = pc.createColors(false);

function feedOf(messages: Record<string, MessageSummary[]>) {
  return deliveryFeed({
    subscriptions: async () =>
      Object.keys(messages).map((subscription_id) => ({
        subscription_id,
        description: subscription_id === 'sub_1' ? 'quick' : '',
        callback_url: 'https://partner.example/',
      })),
    messages: async (id) => messages[id] ?? [],
  });
}

test('what has been told is not told again until it changes', async () => {
  const messages = { sub_1: [{ ...message, state: 'retrying' as MessageSummary['state'] }] };
  const look = feedOf(messages);
  expect(await look()).toHaveLength(1);
  expect(await look()).toHaveLength(0);
  messages.sub_1 = [{ ...message, state: 'succeeded', attempt_count: 2 }];
  expect(await look()).toMatchObject([{ subscription: 'quick', message: { attempt_count: 2 } }]);
});

test('that a message waits on, after an attempt that has been told, is no news', async () => {
  const messages = { sub_1: [{ ...message, state: 'retrying' as MessageSummary['state'] }] };
  const look = feedOf(messages);
  await look();
  messages.sub_1 = [{ ...message, state: 'parked' }];
  expect(await look()).toEqual([]);
  messages.sub_1 = [{ ...message, state: 'succeeded', attempt_count: 2 }];
  expect(await look()).toHaveLength(1);
});

test('news of all subscriptions come in the order in which they happened', async () => {
  const later = { ...message, message_id: 'msg_2', last_attempt_at: '2026-03-01T12:00:00.500Z' };
  const told = await feedOf({ sub_1: [later], sub_2: [message] })();
  expect(told.map(({ subscription }) => subscription)).toEqual(['https://partner.example/', 'quick']);
});

test('the wait behind an earlier event of the payment is told apart from time to send', async () => {
  const first = { ...message, ended_at: '2026-03-01T12:00:01.300Z' };
  const second = {
    ...message,
    message_id: 'msg_2',
    event_type: 'card_payment_succeeded',
    admitted_at: '2026-03-01T12:00:00.200Z',
    time_to_send_ms: 1_112,
    last_attempt_at: '2026-03-01T12:00:01.312Z',
  };
  const [, piece] = await feedOf({ sub_1: [second, first] })();
  expect(piece).toMatchObject({ message: { message_id: 'msg_2' }, orderingWaitMs: 1_100 });
  expect(deliveryLine(piece!, noColors)).toBe(
    '12:00:01.312 quick          succeeded   pay_1                ✓ delivered    200          12 ms, waited 1100 ms',
  );
});

test('the time held before the first attempt counts as waited, too', () => {
  const held: MessageSummary = { ...message, time_to_send_ms: 20, held_ms: 980, attempt_count: 2 };
  expect(deliveryLine({ ...news, message: held, orderingWaitMs: 12 }, noColors)).toMatch(
    / 8 ms, waited 992 ms, attempt 2$/,
  );
});

test('a delivery is one line', () => {
  expect(deliveryLine(news, noColors)).toBe(
    '12:00:00.108 quick          started     pay_1                ✓ delivered    200          8 ms',
  );
});

test('a retry tells its attempt and what went wrong', () => {
  const failed: MessageSummary = {
    ...message,
    state: 'retrying',
    attempt_count: 2,
    last_status_code: undefined,
    last_failure_class: 'timeout',
  };
  expect(deliveryLine({ ...news, subscription: 'a name that is too long', message: failed }, noColors)).toBe(
    '12:00:00.108 a name that is started     pay_1                ↻ will retry   timeout      8 ms, attempt 2',
  );
});

test('every column of the feed is below its heading', () => {
  const line = deliveryLine(news, noColors);
  expect(line.indexOf('✓ delivered')).toBe(FEED_TITLES.indexOf('state'));
});
