import { randomBytes, randomUUID } from 'node:crypto';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import type { MessageHistory } from '../../../functions/core/message/message-history.ts';
import type { MessageStore } from '../../../functions/core/message/ports.ts';
import { heldOf } from './held-event.ts';
import { paymentToTest } from './payment-to-test.ts';
import type { Tables } from './tables.ts';

/**
 * What fits into no item: DynamoDB takes 400 KiB, names of attributes included. Random, so that it does not
 * compress.
 */
const TOO_LARGE = randomBytes(400 * 1_024).toString('base64');

/** What DynamoDB refuses for its size, and how little that keeps from being written. */
export function limitPromises(
  open: () => Tables & Pick<MessageStore, 'save' | 'keepResource'> & Pick<MessageHistory, 'resource'>,
): void {
  const tooLarge = (record: MessageRecord) => ({ ...record, resource: TOO_LARGE });

  test('a message that is too large keeps no other from being written', async () => {
    const { save, record } = open();
    const records = Array.from({ length: 30 }, () => paymentToTest().record(1));
    const outcomes = records.map((one, index) => ({ record: index === 7 ? tooLarge(one) : one }));
    const { untaken, refused, internalErrors } = await save(outcomes);
    expect({ untaken: untaken.size, internalErrors }).toEqual({ untaken: 0, internalErrors: [] });
    expect([...refused.keys()]).toEqual([outcomes[7]]);
    const there = await Promise.all(records.map(({ message_id }) => record(message_id)));
    expect(there.flatMap((one, index) => (one === undefined ? [index] : []))).toEqual([7]);
  });

  test('a commit with a message that is too large is refused for good, and nothing of it is written', async () => {
    const tables = open();
    const { key, queued, record } = paymentToTest();
    const commit = {
      ...{ token: randomUUID(), orderingKey: key.waiting.ordering_key, known: undefined, next: key.waiting },
      ...{ queuedMessages: [queued(1)], removed: [], outcomes: [{ record: tooLarge(record(1)) }] },
    };
    await expect(tables.commit(commit)).rejects.toMatchObject({ name: 'RefusedError' });
    expect(await tables.key(key.waiting.ordering_key)).toBeUndefined();
    expect(await tables.positions(key.waiting.ordering_key)).toEqual([]);
  });

  test('an event that waits for its turn is refused for good when it is too large', async () => {
    const held = { ...heldOf(`pay-${randomUUID()}`, 2), resource: TOO_LARGE };
    await expect(open().sequences.hold(held)).rejects.toMatchObject({ name: 'RefusedError' });
  });

  test('a large resource is kept once for all messages of its event, and apart from another payment’s', async () => {
    const { keepResource, resource } = open();
    const event = { service_id: 'bakery', event_id: randomUUID(), payment_id: 'pay-1' };
    const ofAnother = { ...event, payment_id: 'pay-2' };
    const text = 'y'.repeat(200_000);
    await keepResource(event, text, 0);
    await keepResource(event, 'another', 0);
    await keepResource(ofAnother, 'of another payment', 0);
    expect(await resource(event)).toBe(text);
    expect(await resource(ofAnother)).toBe('of another payment');
    const other = { ...event, event_id: randomUUID() };
    await expect(keepResource(other, TOO_LARGE, 0)).rejects.toMatchObject({ name: 'RefusedError' });
  });
}
