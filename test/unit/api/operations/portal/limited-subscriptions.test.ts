import { OPERATIONS } from '../../../../../functions/api/operations.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { inMemoryPortalSessions } from '../../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { inMemoryHistory } from '../../../../../functions/core/message/message-history.ts';
import { apiOver, messageRecord, newSubscription } from '../../builders.ts';
import { shopWithEverything } from '../every-operation.ts';

const SHOP = { service_id: 'shop', token_id: 'tok_1', token_hash: 'hash_1', scopes: 'read write' };
const limitedTo = (...subscriptions: string[]) => ({ ...SHOP, subscriptions: subscriptions.join(' ') });

/** Two subscriptions of `shop`, a message of one payment for each, and changes of both. */
async function twoSubscriptions() {
  const subscriptions = inMemoryRegistry();
  const audit = inMemoryAuditTrail();
  const create = async (requestId: string) =>
    (
      await apiOver({ subscriptions, audit })({
        method: 'POST',
        path: '/v1/subscriptions',
        body: newSubscription,
        requestId,
      })
    ).body.subscription_id as string;
  const [mine, other] = [await create('req_1'), await create('req_2')];
  const history = inMemoryHistory(
    [mine, other].map((subscription_id, index) => ({
      record: messageRecord({ message_id: `msg_${index + 1}`, subscription_id }),
      laterAttempts: [],
    })),
  );
  const api = apiOver({ subscriptions, audit, history, portalSessions: inMemoryPortalSessions() });
  return {
    mine,
    other,
    api,
    get: (path: string, query = '') => api({ path, query, context: limitedTo(mine) }),
  };
}

const aboutSubscriptions = OPERATIONS.filter(({ path }) => /:(subscription|message|payment)_id/.test(path));

test.each(aboutSubscriptions.map((operation) => [operation.id, operation] as const))(
  '%s answers a token that is limited to another subscription 404, and changes nothing',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const request = await shop.request(operation);
    const before = await shop.seen();

    expect(await shop.api({ ...request, context: limitedTo('sub_other') })).toMatchObject({ status: 404 });
    expect(await shop.seen()).toEqual(before);
  },
);

test.each(aboutSubscriptions.map((operation) => [operation.id, operation] as const))(
  '%s answers a token that is limited to the subscription',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const { subscription_id } = (await shop.api({ path: '/v1/subscriptions' })).body.subscriptions[0];
    const context = limitedTo('sub_other', subscription_id);
    expect((await shop.api({ ...(await shop.request(operation)), context })).status).toBeLessThan(300);
  },
);

test('lists hold what is of the subscription, and nothing else of the service', async () => {
  const { mine, get } = await twoSubscriptions();
  const ids = (list: { subscription_id: string }[]) => list.map(({ subscription_id }) => subscription_id);

  expect(ids((await get('/v1/subscriptions')).body.subscriptions)).toEqual([mine]);
  expect(ids((await get('/v1/messages', 'payment_id=pay_1')).body.messages)).toEqual([mine]);
  expect(ids((await get('/v1/payments/pay_1')).body.messages)).toEqual([mine]);
  expect(ids((await get('/v1/changes')).body.changes)).toEqual([mine]);
});

test('a filter by another subscription finds nothing', async () => {
  const { other, get } = await twoSubscriptions();
  expect((await get('/v1/changes', `subscription_id=${other}`)).body.changes).toEqual([]);
});

test('a token that is limited to subscriptions creates none', async () => {
  const { api, mine } = await twoSubscriptions();
  const request = { method: 'POST', path: '/v1/subscriptions', body: newSubscription };
  expect(await api({ ...request, context: limitedTo(mine) })).toMatchObject({
    status: 403,
    body: { type: 'urn:payhooks:problem:token-limited' },
  });
});

test('a session can be limited to subscriptions of the service only', async () => {
  const { api, mine } = await twoSubscriptions();
  const make = (...subscriptions: string[]) =>
    api({ method: 'POST', path: '/v1/portal-sessions', body: { subscriptions } });

  expect(await make(mine, mine)).toMatchObject({ status: 201, body: { subscriptions: [mine] } });
  expect(await make(mine, 'sub_none')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'subscriptions.1', reason: expect.stringContaining('of this service') }] },
  });
});
