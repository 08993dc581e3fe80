import fc from 'fast-check';
import { type PlanWish, planOf } from '../../../../../cli/operator/redrive/plan.ts';
import { readDeliveryLetter } from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import { messageLetter } from './dead-letter-world.ts';

const WISH: PlanWish = { alsoUnusable: false, again: false, limit: 10_000 };

const letters = fc
  .uniqueArray(
    fc.record({
      payment: fc.constantFrom('a', 'b', 'c', 'd'),
      step: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 80, selector: ({ payment, step }) => `${payment}/${step}` },
  )
  .map((all) => all.map(({ payment, step }) => readDeliveryLetter(messageLetter(payment, step))));

test('every letter goes once', () => {
  fc.assert(
    fc.property(letters, (all) => {
      const going = planOf(all, WISH).batches.flat();
      expect(going).toHaveLength(all.length);
      expect(new Set(going)).toEqual(new Set(all));
    }),
  );
});

test('the letters of a key go in the order of their places, whatever the order in which they came', () => {
  fc.assert(
    fc.property(letters, (all) => {
      for (const ofKey of Map.groupBy(planOf(all, WISH).batches.flat(), ({ key }) => key).values()) {
        const places = ofKey.map(({ place }) => place);
        expect(places).toEqual(places.toSorted());
      }
    }),
  );
});

test('no batch holds two letters of a key, or more than ten', () => {
  fc.assert(
    fc.property(letters, (all) => {
      for (const batch of planOf(all, WISH).batches) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
      }
    }),
  );
});

test('no batch is larger than SQS takes', () => {
  const large = Array.from({ length: 8 }, (_, index) => {
    const letter = readDeliveryLetter(messageLetter(`p${index}`, 1));
    return { ...letter, goes: { ...letter.goes, body: 'x'.repeat(300_000) } };
  });
  expect(planOf(large, WISH).batches.map(({ length }) => length)).toEqual([3, 3, 2]);
});

test('hints follow the messages of their key: those tell them what to do', () => {
  const hint = readDeliveryLetter({
    ...messageLetter('a', 0),
    body: JSON.stringify({ v: 1, service_id: 's', subscription_id: 'sub_1', payment_id: 'a', wish: 'due' }),
  });
  const first = readDeliveryLetter(messageLetter('a', 1));
  const second = readDeliveryLetter(messageLetter('a', 2));
  expect(planOf([hint, second, first], WISH).batches).toEqual([[first], [second], [hint]]);
});

test('with a limit each payment keeps its order: what stays follows what goes', () => {
  fc.assert(
    fc.property(letters, fc.integer({ min: 1, max: 80 }), (all, limit) => {
      const { batches, stays } = planOf(all, { ...WISH, limit });
      expect(batches.flat()).toHaveLength(Math.min(limit, all.length));
      for (const { letter, why } of stays) {
        expect(why).toBe('over_limit');
        const going = batches.flat().filter(({ key }) => key === letter.key);
        expect(going.every(({ place }) => (place ?? '') < (letter.place ?? ''))).toBe(true);
      }
    }),
  );
});
