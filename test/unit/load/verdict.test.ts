import type { Receipt } from '../../../functions/receiver/receipt.ts';
import { percentile } from '../../../load/percentile.ts';
import { type Expected, verdict } from '../../../load/verdict.ts';

const EXPECTED: Expected[] = [
  { eventId: 'a1', paymentId: 'a', sequence: 1 },
  { eventId: 'a2', paymentId: 'a', sequence: 2 },
  { eventId: 'b1', paymentId: 'b', sequence: 1 },
];
const MESSAGES = EXPECTED.map(({ eventId }) => ({
  message_id: `msg_${eventId}`,
  event_id: eventId,
  attempt_count: 1,
}));

const receipts = (...ids: string[]): Receipt[] =>
  ids.map((id, index) => ({
    endpoint: 'e',
    number: index + 1,
    received_at: '2026-11-14T10:00:00.000Z',
    signature: 'valid',
    status: id.startsWith('!') ? 503 : 200,
    webhook_id: `msg_${id.replace('!', '')}`,
  }));

test('all delivered once and in order is a run without fault', () => {
  expect(verdict(EXPECTED, MESSAGES, receipts('a1', 'b1', 'a2'))).toEqual({
    expected: 3,
    delivered: 3,
    lost: 0,
    orderViolations: 0,
    repeats: 0,
    invalidSignatures: 0,
  });
});

test('what was refused and never accepted is lost', () => {
  expect(verdict(EXPECTED, MESSAGES, receipts('a1', 'a2', '!b1'))).toMatchObject({ delivered: 2, lost: 1 });
});

test('an event accepted before an earlier one of its payment is out of order', () => {
  expect(verdict(EXPECTED, MESSAGES, receipts('a2', 'a1', 'b1')).orderViolations).toBeGreaterThan(0);
});

test('a second acceptance is a repeat unless the history knows of as many attempts', () => {
  const twice = receipts('a1', 'a1', 'a2', 'b1');
  expect(verdict(EXPECTED, MESSAGES, twice).repeats).toBe(1);
  const explained = MESSAGES.map((one) => ({ ...one, attempt_count: 2 }));
  expect(verdict(EXPECTED, explained, twice).repeats).toBe(0);
});

test.each([
  [50, 3],
  [90, 5],
  [99, 5],
  [100, 5],
  [20, 1],
])('the %dth percentile of one to five is %d', (percent, value) => {
  expect(percentile([5, 3, 1, 4, 2], percent)).toBe(value);
});
