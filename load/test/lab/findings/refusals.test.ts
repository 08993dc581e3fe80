import { refusesPayment } from '../../../../functions/load-lab/receiver/refused-payment.ts';
import { summaryOf } from '../../../../test/support/message-summaries.ts';
import { refusals, refusedOnRecord } from '../../../lab/findings/refusals.ts';
import type { PartnerGroup } from '../../../lab/partners/partner-groups.ts';
import { expectedMessage } from '../../builders.ts';

const group = (name: string): PartnerGroup => ({
  name,
  services: 1,
  receiver: { delay_ms: '50' },
  subscription: {},
  changes: [],
});
const payments = Array.from({ length: 300 }, (_, number) => `pay_${number}`);

test('the lab knows which payments the receiver refuses, by its final settings', () => {
  const isRefused = refusals(
    [group('none'), group('some')],
    [
      { group: 'some', change: { receiver: { failure_rate: 1 } }, atMs: 1 },
      { group: 'some', change: { receiver: { refused_share: 0.2 } }, atMs: 2 },
      { group: 'some', change: { subscription: { rate_limit: 5 } }, atMs: 3 },
    ],
  );
  const refused = payments.filter((paymentId) => isRefused({ group: 'some', paymentId }));
  expect(refused).toEqual(payments.filter((paymentId) => refusesPayment(0.2, paymentId)));
  expect(refused.length).toBeGreaterThan(30);
  expect(payments.some((paymentId) => isRefused({ group: 'none', paymentId }))).toBe(false);
});

test('partners that do not refuse yet refuse nothing', () => {
  const isRefused = refusals(
    [group('some')],
    [{ group: 'some', change: { receiver: { failure_rate: 1 } }, atMs: 1 }],
  );
  expect(payments.some((paymentId) => isRefused({ group: 'some', paymentId }))).toBe(false);
});

test('a refused message is on record once its payment was attempted for that subscription', () => {
  const recorded = new Map(
    [
      summaryOf('a1', { attempt_count: 1 }),
      summaryOf('a2', { attempt_count: 0 }),
      summaryOf('b1', { attempt_count: 0 }),
    ].map((one) => [one.message_id, one]),
  );
  const isOnRecord = refusedOnRecord(recorded);
  const on = (name: string, subscriptionId = 'sub_1') =>
    isOnRecord(expectedMessage(name, { subscriptionId }));
  expect([on('a1'), on('a2'), on('a3'), on('b1'), on('a1', 'sub_2')]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
