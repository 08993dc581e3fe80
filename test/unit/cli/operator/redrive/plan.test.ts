import fc from 'fast-check';
import { type PlanOptions, planOf } from '../../../../../cli/operator/redrive/plan.ts';
import { readDeliveryDeadLetter } from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import { messageDeadLetter } from './dead-letter-world.ts';

const SIGNAL: PlanOptions = { alsoUnusable: false, again: false, limit: 10_000 };

const deadLetters = fc
  .uniqueArray(
    fc.record({
      payment: fc.constantFrom('a', 'b', 'c', 'd'),
      step: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 80, selector: ({ payment, step }) => `${payment}/${step}` },
  )
  .map((all) => all.map(({ payment, step }) => readDeliveryDeadLetter(messageDeadLetter(payment, step))));

test('every letter goes once', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      const going = planOf(all, SIGNAL).batches.flat();
      expect(going).toHaveLength(all.length);
      expect(new Set(going)).toEqual(new Set(all));
    }),
  );
});

test('the letters of a key go in the order of their places, whatever the order in which they came', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      for (const ofKey of Map.groupBy(planOf(all, SIGNAL).batches.flat(), ({ key }) => key).values()) {
        const places = ofKey.map(({ position }) => position);
        expect(places).toEqual(places.toSorted());
      }
    }),
  );
});

test('no batch holds two letters of a key, or more than ten', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      for (const batch of planOf(all, SIGNAL).batches) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
      }
    }),
  );
});

test('no batch is larger than SQS takes', () => {
  const large = Array.from({ length: 8 }, (_, index) => {
    const deadLetter = readDeliveryDeadLetter(messageDeadLetter(`p${index}`, 1));
    return { ...deadLetter, goes: { ...deadLetter.goes, body: 'x'.repeat(300_000) } };
  });
  expect(planOf(large, SIGNAL).batches.map(({ length }) => length)).toEqual([3, 3, 2]);
});

test('signals follow the messages of their key: those tell them what to do', () => {
  const signal = readDeliveryDeadLetter({
    ...messageDeadLetter('a', 0),
    body: JSON.stringify({
      v: 1,
      service_id: 's',
      subscription_id: 'sub_1',
      payment_id: 'a',
      signal_kind: 'resume',
    }),
  });
  const first = readDeliveryDeadLetter(messageDeadLetter('a', 1));
  const second = readDeliveryDeadLetter(messageDeadLetter('a', 2));
  expect(planOf([signal, second, first], SIGNAL).batches).toEqual([[first], [second], [signal]]);
});

test('with a limit each payment keeps its order: what stays follows what goes', () => {
  fc.assert(
    fc.property(deadLetters, fc.integer({ min: 1, max: 80 }), (all, limit) => {
      const { batches, stays } = planOf(all, { ...SIGNAL, limit });
      expect(batches.flat()).toHaveLength(Math.min(limit, all.length));
      for (const { deadLetter, why } of stays) {
        expect(why).toBe('over_limit');
        const going = batches.flat().filter(({ key }) => key === deadLetter.key);
        expect(going.every(({ position }) => (position ?? '') < (deadLetter.position ?? ''))).toBe(true);
      }
    }),
  );
});
