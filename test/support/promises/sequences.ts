import { randomUUID } from 'node:crypto';
import { newSequence, paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import { heldOf } from './held-event.ts';
import type { Tables } from './tables.ts';

/** What every `SequenceStore` promises. */
export function sequencePromises(open: () => Pick<Tables, 'sequences'>): void {
  const payment = () => newSequence({ service_id: 'bakery', payment_id: `pay-${randomUUID()}` }, 'shard-01');

  test('a payment advances from what was read, revision by revision', async () => {
    const { sequences } = open();
    const first = await sequences.advance(undefined, payment(), undefined);
    const second = await sequences.advance(
      first,
      { ...first!, next: 2, sent: { sub_1: { position: 1, message_id: 'm' } } },
      undefined,
    );
    expect([first?.revision, second?.revision]).toEqual([1, 2]);
    expect(await sequences.sequencesOf([second!])).toEqual(new Map([[paymentKey(second!), second]]));
  });

  test('of two workers that advance it at the same moment, one is refused', async () => {
    const { sequences } = open();
    const start = payment();
    const begun = await Promise.all(
      [2, 3].map((next) => sequences.advance(undefined, { ...start, next }, undefined)),
    );
    expect(begun.filter((one) => one === undefined)).toHaveLength(1);
    const known = begun.find((one) => one !== undefined);
    const gone = await Promise.all(
      [4, 5].map((next) => sequences.advance(known, { ...known!, next }, undefined)),
    );
    expect(gone.filter((one) => one === undefined)).toHaveLength(1);
  });

  test('events that wait come back as they were held, in the order asked for', async () => {
    const { sequences } = open();
    const { payment_id } = payment();
    const [two, other, three] = [
      heldOf(payment_id, 2),
      heldOf(payment_id, 2, 'evt-x'),
      heldOf(payment_id, 3),
    ];
    for (const held of [two, other, three, three]) {
      await sequences.hold(held);
    }
    const names = [three, other, two].map(({ event }) => event);
    expect(await sequences.held(names)).toEqual([three, other, two]);
    await sequences.drop([three.event, three.event]);
    expect(await sequences.held(names)).toEqual([undefined, other, two]);
  });

  test('a payment without numbered events is not there', async () => {
    const { sequences } = open();
    expect(await sequences.sequencesOf([payment()])).toEqual(new Map());
    expect(await sequences.sequencesOf([])).toEqual(new Map());
  });
}
