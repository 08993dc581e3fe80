import fc from 'fast-check';
import { orderingKey } from '../../../functions/core/message.ts';
import { inSendingOrder } from '../../../functions/match/sending-order.ts';

const messages = fc
  .array(
    fc.record({
      subscription_id: fc.constantFrom('s', 't'),
      payment_id: fc.constantFrom('a', 'b', 'c', 'd'),
    }),
    {
      maxLength: 200,
    },
  )
  .map((all) => all.map((one, number) => ({ ...one, number })));

test('every message is sent once', () => {
  fc.assert(
    fc.property(messages, (all) => {
      const numbers = inSendingOrder(all, { keyOf: orderingKey })
        .flat()
        .map(({ number }) => number);
      expect(numbers.sort((a, b) => a - b)).toEqual(all.map(({ number }) => number));
    }),
  );
});

test('no batch holds two messages of a key, or more than ten', () => {
  fc.assert(
    fc.property(messages, (all) => {
      for (const batch of inSendingOrder(all, { keyOf: orderingKey })) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(new Set(batch.map(orderingKey)).size).toBe(batch.length);
      }
    }),
  );
});

test('the messages of a key go out in their order', () => {
  fc.assert(
    fc.property(messages, (all) => {
      const byKey = Map.groupBy(inSendingOrder(all, { keyOf: orderingKey }).flat(), orderingKey);
      for (const sent of byKey.values()) {
        expect(sent.map(({ number }) => number)).toEqual(
          sent.map(({ number }) => number).sort((a, b) => a - b),
        );
      }
    }),
  );
});

test('twenty messages of different keys fill two batches', () => {
  const all = Array.from({ length: 20 }, (_, index) => ({ subscription_id: 's', payment_id: String(index) }));
  expect(inSendingOrder(all, { keyOf: orderingKey }).map((batch) => batch.length)).toEqual([10, 10]);
});
