import fc from 'fast-check';
import { orderingKey } from '../../../../functions/core/message/message.ts';
import { inSendingOrder, sendInOrder } from '../../../../functions/core/ordering/sending-order.ts';

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

test('no batch holds two messages of an ordering key, or more than ten', () => {
  fc.assert(
    fc.property(messages, (all) => {
      for (const batch of inSendingOrder(all, { keyOf: orderingKey })) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(new Set(batch.map(orderingKey)).size).toBe(batch.length);
      }
    }),
  );
});

test('the messages of an ordering key go out in their order', () => {
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

test('twenty messages of different ordering keys fill two batches', () => {
  const all = Array.from({ length: 20 }, (_, index) => ({ subscription_id: 's', payment_id: String(index) }));
  expect(inSendingOrder(all, { keyOf: orderingKey }).map((batch) => batch.length)).toEqual([10, 10]);
});

test('behind a message that was not taken none of its ordering key is sent, and those of others are', async () => {
  const one = (payment_id: string, number: number) => ({ subscription_id: 's', payment_id, number });
  const all = [one('a', 1), one('b', 1), one('a', 2), one('b', 2), one('a', 3)];
  const sent: string[] = [];
  const unsent = await sendInOrder(all, async (batch) => {
    sent.push(batch.map(({ payment_id, number }) => payment_id + number).join(' '));
    return batch.filter(({ payment_id, number }) => payment_id === 'a' && number === 2);
  });
  expect(sent).toEqual(['a1 b1', 'a2 b2']);
  expect([...unsent]).toEqual([all[2], all[4]]);
});

test('a batch holds as many bytes as SQS takes in one call; what is larger than that goes alone', () => {
  const sizes = [60, 40, 1, 99, 200, 30];
  const batches = inSendingOrder([...sizes.entries()], {
    keyOf: ([index]) => String(index),
    bytesOf: ([, bytes]) => bytes,
    maxBytes: 100,
  });
  expect(batches.map((batch) => batch.map(([, bytes]) => bytes))).toEqual([[60, 40], [1, 99], [200], [30]]);
});
