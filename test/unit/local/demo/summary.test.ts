import type { MessageSummary } from '../../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../../functions/load-lab/receiver/receipt.ts';
import { outOfOrder, summaryOf } from '../../../../local/demo/summary.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 10, 14, 10) + ms).toISOString();

function message(name: string, over: Partial<MessageSummary> = {}): MessageSummary {
  return {
    message_id: name,
    subscription_id: 'sub_1',
    payment_id: name.slice(0, 1),
    occurred_at: at(Number(name.slice(1))),
    admitted_at: at(Number(name.slice(1)) * 1_000),
    ended_at: at(Number(name.slice(1)) * 1_000 + 100),
    state: 'succeeded',
    attempt_count: 1,
    time_to_send_ms: 20,
    ...over,
  } as MessageSummary;
}
const receipt = (webhook_id: string, status = 200) => ({ webhook_id, status }) as Receipt;

const both = [message('a1'), message('a2')];

test.each([
  ['in order', ['a1', 'a2'], 0],
  ['a repeat of the latest', ['a1', 'a2', 'a2'], 0],
  ['the later one first', ['a2', 'a1'], 1],
  ['of nobody that we know', ['b1', 'a1'], 0],
])('order is judged by what arrived: %s', (_, arrived, count) => {
  expect(
    outOfOrder(
      both,
      arrived.map((id) => receipt(id)),
    ),
  ).toBe(count);
});

test('what the endpoint refused counts for nothing', () => {
  expect(outOfOrder(both, [receipt('a2', 503), receipt('a1'), receipt('a2')])).toBe(0);
});

test('a row says how many, how fast and what waited for the endpoint', () => {
  const messages = [
    message('a1', { attempt_count: 3 }),
    message('b1', { time_to_send_ms: 40, held_ms: 1_500 }),
    message('c1', { time_to_send_ms: 60, state: 'exhausted' }),
  ];
  const [titles, row] = summaryOf([{ name: 'quick', messages, receipts: [] }], 4);
  expect(titles).toMatch(/endpoint +events +delivered +attempts +time to send +longest wait +out of order/);
  expect(row).toMatch(/quick +4 +2 +5 +40 ms +1\.5 s +0/);
});
