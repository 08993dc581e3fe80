import type { AuditEntry, AuditTrail } from '../../../../functions/core/api/audit-trail.ts';

/**
 * What every `AuditTrail` promises. `services` returns two that have no entries in the trail that `trail`
 * returns.
 */
export function auditPromises(
  trail: () => AuditTrail,
  services: () => readonly [string, string] = () => ['shop', 'other'],
): void {
  let [shop, other] = ['', ''];
  beforeEach(() => {
    [shop, other] = services();
  });

  const entry = (minute: number, over: Partial<AuditEntry> = {}): AuditEntry => ({
    service_id: shop,
    at: `2026-11-14T10:0${minute}:00.000Z`,
    request_id: `req_${minute}`,
    token_id: 'tok_1',
    operation: 'pauseSubscription',
    subscription_id: minute % 2 === 0 ? 'sub_even' : 'sub_odd',
    changed: { state: { from: 'active', to: 'paused' } },
    ...over,
  });

  test('entries are listed newest first, page by page, each once, to their service only', async () => {
    const audit = trail();
    for (const minute of [3, 1, 5, 2, 4]) {
      await audit.keep(entry(minute));
    }
    await audit.keep(entry(1, { service_id: other, request_id: 'req_theirs' }));

    const first = await audit.page(shop, { limit: 2 });
    const second = await audit.page(shop, { limit: 2, after: first.next! });
    const third = await audit.page(shop, { limit: 2, after: second.next! });

    expect([first, second, third].map(({ changes }) => changes)).toEqual([
      [entry(5), entry(4)],
      [entry(3), entry(2)],
      [entry(1)],
    ]);
    expect(third.next).toBeUndefined();
    expect((await audit.page(other, { limit: 9 })).changes).toMatchObject([{ request_id: 'req_theirs' }]);
  });

  test('an entry is never overwritten', async () => {
    const audit = trail();
    const once = entry(7, { request_id: 'req_once' });
    await audit.keep(once);
    await audit.keep({ ...once, operation: 'somethingElse' });

    const { changes } = await audit.page(shop, { limit: 100 });
    expect(changes.filter(({ request_id }) => request_id === 'req_once')).toEqual([once]);
  });

  test('entries can be filtered by subscription, page by page', async () => {
    const audit = trail();
    for (const minute of [1, 2, 3, 4]) {
      await audit.keep(entry(minute));
    }
    const wanted = { limit: 1, subscriptionId: 'sub_even' };

    const first = await audit.page(shop, wanted);
    const second = await audit.page(shop, { ...wanted, after: first.next! });

    expect([...first.changes, ...second.changes]).toEqual([entry(4), entry(2)]);
  });

  test('a service that has changed nothing has an empty trail', async () => {
    expect(await trail().page(`${shop}-new`, { limit: 2 })).toEqual({ changes: [] });
  });
}
