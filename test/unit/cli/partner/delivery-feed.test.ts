import pc from 'picocolors';
import { deliveryFeed, MAX_PAGES } from '../../../../cli/partner/delivery-feed.ts';
import { feedLines, leftOutLine } from '../../../../cli/partner/text/delivery-line.ts';
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
const { line: lineOf } = feedLines(['card_payment_started', 'card_payment_succeeded'], noColors);

const PAGE = 100;

/** The news of each look at lists that may change in between. */
function feedOf(messages: Record<string, MessageSummary[]>) {
  const look = looksAt(messages);
  return async () => (await look()).news;
}

function looksAt(messages: Record<string, MessageSummary[]>) {
  return deliveryFeed({
    subscriptions: async () =>
      Object.keys(messages).map((subscription_id) => ({
        subscription_id,
        description: subscription_id === 'sub_1' ? 'quick' : '',
        callback_url: 'https://partner.example/',
      })),
    messages: async (id, { cursor = '0', until = '9' }) => {
      const listed = (messages[id] ?? [])
        .filter(({ admitted_at }) => admitted_at < until)
        .sort((a, b) => b.admitted_at.localeCompare(a.admitted_at));
      const end = Number(cursor) + PAGE;
      return {
        messages: listed.slice(Number(cursor), end),
        ...(end < listed.length ? { next_cursor: String(end) } : {}),
      };
    },
  });
}

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
/** Messages that were accepted one after another, from a second of the hour on. */
const many = (count: number, second: number, over: Partial<MessageSummary> = {}, apartMs = 1) =>
  Array.from({ length: count }, (_, index) => {
    const admitted_at = new Date(START_MS + second * 1_000 + index * apartMs).toISOString();
    return { ...message, message_id: `msg_${second}_${index}`, admitted_at, ended_at: admitted_at, ...over };
  });
const waiting = { state: 'parked', ended_at: undefined } as const;

/** The ids of all that is told within this many looks, in their last state. */
async function toldIn(looks: number, look: () => Promise<readonly { message: MessageSummary }[]>) {
  const told = new Map<string, string>();
  for (let left = looks; left > 0; left -= 1) {
    for (const { message: one } of await look()) told.set(one.message_id, one.state);
  }
  return told;
}

test('of a burst of several pages each is told', async () => {
  const messages = { sub_1: many(1, 0) };
  const look = feedOf(messages);
  await look();
  messages.sub_1 = [...messages.sub_1, ...many(400, 1)];
  expect(await look()).toHaveLength(400);
});

test('each that waited is told again when it is delivered, the oldest first or all at once', async () => {
  const messages = { sub_1: many(1, 0) };
  const look = feedOf(messages);
  await look();
  messages.sub_1 = [...many(1, 0), ...many(400, 1, waiting)];
  await look();
  messages.sub_1 = [...many(1, 0), ...many(400, 1, waiting).toSpliced(0, 200, ...many(200, 1))];
  expect((await toldIn(5, look)).size).toBe(200);
  messages.sub_1 = [...many(1, 0), ...many(400, 1)];
  expect((await toldIn(5, look)).size).toBe(200);
});

test('one that is listed minutes after later ones is told, however many these are', async () => {
  const messages = { sub_1: many(1, 0) };
  const look = feedOf(messages);
  await look();
  messages.sub_1.push(...many(1_900, 10, {}, 250));
  await look();
  messages.sub_1.push(...many(1, 9));
  expect([...(await toldIn(25, look)).keys()]).toEqual(['msg_9_0']);
});

test('one that is retried hours later is still told, and nothing that was told before is told again', async () => {
  const messages = { sub_1: many(150, 0, waiting) };
  const look = feedOf(messages);
  await look();
  messages.sub_1 = [...many(149, 0), ...many(150, 0, waiting).slice(-1), ...many(300, 7_200)];
  await toldIn(3, look);
  messages.sub_1 = [...many(150, 0), ...many(300, 7_200)];
  expect([...(await toldIn(3, look)).keys()]).toEqual(['msg_0_149']);
});

test('what is not followed is said, and not told later: what was there before, and more at once than can be read', async () => {
  const messages = { sub_1: many(150, 0) };
  const look = looksAt(messages);
  const first = await look();
  expect(first.news).toHaveLength(PAGE);
  expect(first.leftOut).toEqual([
    { subscription: 'quick', subscription_id: 'sub_1', until: messages.sub_1[50]!.admitted_at },
  ]);
  const [until = ''] = many(1, 2).map(({ admitted_at }) => admitted_at);
  messages.sub_1.push(...many(10, 1), ...many(MAX_PAGES * PAGE, 2));
  const second = await look();
  expect(second.news).toHaveLength(MAX_PAGES * PAGE);
  expect(second.leftOut).toMatchObject([{ since: messages.sub_1[149]!.admitted_at, until }]);
  expect(leftOutLine(second.leftOut[0]!, noColors)).toMatch(
    / See them: npm run webhooks -- messages sub_1 --since 2026-03-01T12:00:00.149Z --until 2026-03-01T12:00:02.000Z$/,
  );
  expect((await toldIn(30, async () => (await look()).news)).size).toBe(0);
});

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
  expect(lineOf(piece!)).toBe(
    '12:00:01.312 quick          succeeded   pay_1                ✓ delivered    200          12 ms, waited 1100 ms',
  );
});

test('the time held before the first attempt counts as waited, too', () => {
  const held: MessageSummary = { ...message, time_to_send_ms: 20, held_ms: 980, attempt_count: 2 };
  expect(lineOf({ ...news, message: held, orderingWaitMs: 12 })).toMatch(/ 8 ms, waited 992 ms, attempt 2$/);
});

test('a retry tells its attempt and what went wrong', () => {
  const failed: MessageSummary = {
    ...message,
    state: 'retrying',
    attempt_count: 2,
    last_status_code: undefined,
    last_failure_class: 'timeout',
  };
  expect(lineOf({ ...news, subscription: 'a name that is too long', message: failed })).toBe(
    '12:00:00.108 a name that is started     pay_1                ↻ will retry   timeout      8 ms, attempt 2',
  );
});
