import { restoredSequence } from '../../../../../cli/operator/restore/restored-sequence.ts';
import {
  newSequence,
  type PaymentSequence,
} from '../../../../../functions/core/sequence/payment-sequence.ts';
import { earlyEvent, heldEvent, PAYMENT } from '../held-event.ts';

const sequence = (over: Partial<PaymentSequence>): PaymentSequence => ({
  ...newSequence(PAYMENT, 'shard-01'),
  ...over,
});
const NOTHING = { sequence: undefined, held: [] };

test('a payment that is missing comes back with the events that waited', () => {
  const then = { sequence: sequence({ revision: 4, next: 3, early: [earlyEvent(5)] }), held: [heldEvent(5)] };
  expect(restoredSequence(then, NOTHING)).toEqual({ ...then, gone: 0, unknown: 0 });
});

test('one that has gone on since stays as it is, and an event that went on does not come back', () => {
  const then = { sequence: sequence({ revision: 4, early: [earlyEvent(5)] }), held: [heldEvent(5)] };
  const now = { sequence: sequence({ revision: 6, next: 6 }), held: [] };
  expect(restoredSequence(then, now)).toEqual({ sequence: undefined, held: [], gone: 1, unknown: 0 });
});

test('an event that still waits, and is missing, comes back alone', () => {
  const same = sequence({ revision: 4, next: 3, early: [earlyEvent(5), earlyEvent(6)] });
  expect(
    restoredSequence(
      { sequence: same, held: [heldEvent(5), heldEvent(6)] },
      { sequence: { ...same, revision: 5 }, held: [heldEvent(6)] },
    ),
  ).toMatchObject({ sequence: undefined, held: [heldEvent(5)] });
});

test('what came to a payment after it was lost goes on waiting, and nothing goes before what went on', () => {
  const then = sequence({
    revision: 9,
    next: 8,
    early: [earlyEvent(10)],
    order_number: '17',
    admitted_at_ms: 1,
  });
  const anew = sequence({ revision: 2, early: [earlyEvent(12)], order_number: '90.0001', admitted_at_ms: 5 });
  expect(
    restoredSequence({ sequence: then, held: [heldEvent(10)] }, { sequence: anew, held: [heldEvent(12)] }),
  ).toMatchObject({
    sequence: {
      revision: 9,
      next: 8,
      early: [earlyEvent(10), earlyEvent(12)],
      order_number: '90.0001',
      admitted_at_ms: 5,
    },
    held: [heldEvent(10)],
  });
});

test('an event that is held waits again, though nothing says so any more, unless its number has passed', () => {
  const then = { sequence: sequence({ revision: 9, next: 8 }), held: [] };
  expect(
    restoredSequence(then, { sequence: undefined, held: [heldEvent(7), heldEvent(9)] }).sequence?.early,
  ).toEqual([earlyEvent(9)]);
});

test('events of which nothing says how far their payment is are told', () => {
  expect(restoredSequence({ sequence: undefined, held: [heldEvent(5)] }, NOTHING)).toMatchObject({
    held: [],
    gone: 0,
    unknown: 1,
  });
});
