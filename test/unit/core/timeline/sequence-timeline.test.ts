import {
  newSequence,
  type PaymentSequence,
  type SequenceProgress,
} from '../../../../functions/core/sequence/payment-sequence.ts';
import { arrive, giveUp } from '../../../../functions/core/sequence/steps.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { sequenceTimeline } from '../../../../functions/core/timeline/sequence-timeline.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const GAP_MS = 15 * 60_000;
const at = (minutes: number) => instant(TEN_O_CLOCK_MS + minutes * 60_000);

/** The payment once events with these numbers have come, each at its minute. */
function after(...arrivals: readonly (readonly [sequence: number, minute: number])[]): PaymentSequence {
  return arrivals.reduce(
    (before, [sequence, minute]) =>
      arrive(before, { sequence, event_id: `evt_${sequence}` }, at(minute)).at(-1)?.after ?? before,
    newSequence({ service_id: 'shop', payment_id: 'pay_1' }, 'shard-01'),
  );
}

const seen = (progress: SequenceProgress) => sequenceTimeline(progress, GAP_MS);

test('a payment whose events came in turn waits for nothing', () => {
  expect(seen(after([1, 0], [2, 1]))).toEqual({ next: 3, early: [], missing: [], sent: [] });
});

test('an early event waits for the missing one, for as long as the stage says', () => {
  expect(seen(after([1, 0], [3, 2]))).toEqual({
    next: 2,
    next_awaited_until: at(17),
    early: [{ sequence: 3, event_id: 'evt_3', since: at(2), waits_until: at(17) }],
    missing: [],
    sent: [],
  });
});

test('an event continues at the latest with one of a higher number that came before it', () => {
  const { next_awaited_until, early } = seen(after([4, 1], [3, 5], [6, 9]));
  expect(next_awaited_until).toBe(at(16));
  expect(early.map(({ sequence, waits_until }) => [sequence, waits_until])).toEqual([
    [3, at(16)],
    [4, at(16)],
    [6, at(24)],
  ]);
});

test('numbers that were given up are missing until they come, those that continue are not', () => {
  const waiting = after([1, 0], [4, 0], [6, 2]);
  const given = giveUp(waiting, TEN_O_CLOCK_MS + GAP_MS, GAP_MS);

  // Number 4 is about to continue, and nothing is awaited before it.
  expect(seen(given)).toMatchObject({ next: 4, missing: [2, 3], early: [{ sequence: 4 }, { sequence: 6 }] });
  expect(seen(given)).not.toHaveProperty('next_awaited_until');

  const late = arrive(given, { sequence: 2, event_id: 'evt_2' }, at(16)).at(-1)!.after;
  expect(seen(late)).toMatchObject({ next: 5, missing: [3], early: [{ sequence: 6 }] });
});

test('it tells how far each subscription is', () => {
  const sent = { sub_1: { position: 3, message_id: 'msg_3' }, sub_2: { position: 1, message_id: 'msg_1' } };
  expect(seen({ ...after([1, 0]), sent }).sent).toEqual([
    { subscription_id: 'sub_1', position: 3, message_id: 'msg_3' },
    { subscription_id: 'sub_2', position: 1, message_id: 'msg_1' },
  ]);
});
