import { randomUUID } from 'node:crypto';
import { type PaymentToTest, paymentToTest } from './payment-to-test.ts';
import type { Tables } from './tables.ts';

const LEASE = { id: 'l1', since: '2026-11-14T10:00:01.000Z', until: '2026-11-14T10:00:31.000Z' };
const DELIVERED = { outcome: 'delivered', at: '2026-11-14T10:00:02.000Z' } as const;
const ENDED = { outcome: 'ended', at: '2026-11-14T10:00:32.000Z' } as const;

/** Messages in hand, as an engine keeps them. */
export function leasePromises(open: () => Tables): void {
  async function block(tables: Tables) {
    const payment = paymentToTest();
    const { inBacklog } = payment.key;
    await tables.commit({
      ...{ token: randomUUID(), orderingKey: inBacklog.ordering_key, known: undefined, next: inBacklog },
      ...{ queuedMessages: [payment.queued(1)], removed: [], outcomes: [] },
    });
    return { payment, key: inBacklog, first: payment.queued(1) };
  }

  const leaseOf = async (tables: Tables, { queued }: PaymentToTest) =>
    (await tables.waitingIn(queued(1).ordering_key)).waiting[0]?.queuedMessage.lease;

  test('of two feeds that read an ordering key one holds it, and sweep looks at it when the lease ends', async () => {
    const tables = open();
    const { key } = await block(tables);
    expect(await tables.hold(key, LEASE.until)).toBe(true);
    expect(await tables.hold(key, LEASE.until)).toBe(false);
    expect(await tables.key(key.ordering_key)).toMatchObject({
      ...{ state: 'backlogged', revision: 3, backlogged_at: key.backlogged_at },
      ...{ check_at: LEASE.until, age_check_at: LEASE.until },
    });
    const overdue = await tables.overdue(LEASE.until);
    expect(
      overdue.filter(({ timer }) => 'payment_id' in timer && timer.payment_id === key.payment_id),
    ).toHaveLength(1);
  });

  test('nobody holds an ordering key that waits for its time, or is not blocked', async () => {
    const tables = open();
    const { key } = paymentToTest();
    expect(await tables.hold(key.inBacklog, LEASE.until)).toBe(false);
  });

  test('a message has one lease at a time; a repeat of the same is no other', async () => {
    const tables = open();
    const { payment, first } = await block(tables);
    expect(await tables.lease(first, LEASE)).toBe(true);
    expect(await tables.lease(first, LEASE)).toBe(true);
    expect(await tables.lease(first, { ...LEASE, id: 'l2' })).toBe(false);
    expect(await leaseOf(tables, payment)).toEqual(LEASE);
    expect(await tables.lease(payment.queued(2), LEASE)).toBe(false);
  });

  test('a message that was attempted since it was read is not leased', async () => {
    const tables = open();
    const { first } = await block(tables);
    expect(await tables.lease({ ...first, failed_attempts: 1 }, LEASE)).toBe(false);
  });

  test('the first result of a lease counts, whoever writes it, and a late repeat of the lease does not undo it', async () => {
    const tables = open();
    const { payment, first } = await block(tables);
    await tables.lease(first, LEASE);
    const settled = { ...LEASE, result: DELIVERED };
    expect(await tables.endLease({ ...first, id: 'l1' }, DELIVERED)).toEqual(settled);
    expect(await tables.endLease({ ...first, id: 'l1' }, ENDED)).toEqual(settled);
    expect(await tables.lease(first, LEASE)).toBe(false);
    expect(await leaseOf(tables, payment)).toEqual(settled);
  });

  test('a lease that nobody made, or of a message that is not there, has no result', async () => {
    const tables = open();
    const { payment, first } = await block(tables);
    expect(await tables.endLease({ ...first, id: 'l1' }, DELIVERED)).toBeUndefined();
    await tables.lease(first, LEASE);
    expect(await tables.endLease({ ...first, id: 'l2' }, DELIVERED)).toBeUndefined();
    expect(await tables.endLease({ ...payment.queued(2), id: 'l1' }, DELIVERED)).toBeUndefined();
    expect(await leaseOf(tables, payment)).toEqual(LEASE);
  });

  test('a message goes once its lease has a result, and not before', async () => {
    const tables = open();
    const { key, first } = await block(tables);
    await tables.lease(first, LEASE);
    const free = () =>
      tables.commit({
        ...{ token: randomUUID(), orderingKey: key.ordering_key, known: key, next: undefined },
        ...{ queuedMessages: [], removed: [first.position], outcomes: [] },
      });
    expect(await free()).toBe('overtaken');
    await tables.endLease({ ...first, id: 'l1' }, ENDED);
    expect(await free()).toBe('written');
    expect(await tables.positions(key.ordering_key)).toEqual([]);
  });
}
