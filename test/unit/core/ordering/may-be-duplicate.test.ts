import { mayBeDuplicate } from '../../../../functions/core/ordering/gate.ts';
import { delivery, TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const { message } = delivery();
const justNow = { receiveCount: 1, firstReceivedAtMs: TEN_O_CLOCK_MS };

test('what has just come, and for the first time, need not be looked up', () => {
  expect(mayBeDuplicate(message, justNow, TEN_O_CLOCK_MS + 1_000)).toBe(false);
});

test.each([
  ['was received before', { ...justNow, receiveCount: 2 }, {}],
  [
    'was received for the first time half a minute ago: its worker starts late',
    { receiveCount: 1, firstReceivedAtMs: TEN_O_CLOCK_MS - 30_000 },
    {},
  ],
  ['may have been sent by match before', justNow, { sent_before: true }],
  ['is of an event that SQS has forgotten', justNow, { occurred_at: '2026-11-14T09:00:00.000Z' }],
])('what %s is looked up', (_, received, over) => {
  expect(mayBeDuplicate({ ...message, ...over }, received, TEN_O_CLOCK_MS + 1_000)).toBe(true);
});
