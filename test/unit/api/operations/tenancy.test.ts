import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { other, whateverTheId } from '../builders.ts';
import { bodyFor, parametersOf, queryFor, shopWithEverything } from './every-operation.ts';

/** Event types are everybody's. */
const ofServices = OPERATIONS.filter(({ tag }) => tag !== 'Event types');
const aboutSomething = ofServices.filter(({ path }) => path.includes(':'));
const aboutTheCaller = ofServices.filter(({ path }) => !path.includes(':'));

/** Ids of this form name resources of a service. */
const OF_A_SERVICE = /_id$/;

test.each(aboutSomething.map((operation) => [operation.id, operation] as const))(
  '%s answers another service 404, changes nothing and leaves no trace',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const request = await shop.request(operation);
    const before = await shop.seen();

    const theirs = await shop.api({ ...request, context: other });
    const nobodys = await shop.api({
      ...request,
      path: request.path.replace(/(sub|msg|rec|sec|ses|pay)_[\w-]+/g, '$1_none'),
      context: other,
    });

    expect(theirs).toMatchObject({ status: 404, body: { type: 'urn:payhooks:problem:not-found' } });
    expect(whateverTheId(theirs)).toEqual(whateverTheId(nobodys));
    expect(await shop.seen()).toEqual(before);
  },
);

test.each(aboutSomething.map((operation) => [operation.id, operation] as const))(
  '%s works for the service that owns the resource, with the same request',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    expect((await shop.api(await shop.request(operation))).status).toBeLessThan(300);
  },
);

test('only these operations have no id in their path; each acts on the caller’s own resources', () => {
  expect(aboutTheCaller.map(({ id }) => id).sort()).toEqual([
    'checkUrl',
    'createPortalSession',
    'createSubscription',
    'exchangePortalSession',
    'listChanges',
    'listMessagesOfPayment',
    'listPortalSessions',
    'listSubscriptions',
    'previewFilter',
    'showKeySet',
  ]);
});

test.each(
  aboutTheCaller
    .filter(({ method }) => method === 'GET')
    .map((operation) => [operation.id, operation] as const),
)('%s shows another service nothing, even with an id in the query', async (_, operation) => {
  const shop = await shopWithEverything();
  const { subscription_id } = (await shop.api({ path: '/v1/subscriptions' })).body.subscriptions[0];
  await shop.api({ method: 'POST', path: `/v1/subscriptions/${subscription_id}/pause` });
  const ids: Record<string, string> = { subscription_id, message_id: 'msg_1', payment_id: 'pay_1' };
  const names = parametersOf(operation).filter((name) => OF_A_SERVICE.test(name));

  for (const asked of [{}, ...names.map((name) => ({ [name]: ids[name] ?? '' }))]) {
    const query = new URLSearchParams({ ...queryFor(operation), ...asked }).toString();
    const theirs = await shop.api({ path: operation.path, query, context: other });
    expect(theirs.status).toBe(200);
    expect(JSON.stringify(theirs.body)).not.toContain(subscription_id);
    expect(Object.values(theirs.body)).toEqual([[]]);
  }
});

test('what another service creates belongs to it', async () => {
  const shop = await shopWithEverything();
  const before = await shop.seen();
  const create = OPERATIONS.find(({ id }) => id === 'createSubscription')!;

  const theirs = await shop.api({ method: 'POST', path: create.path, body: bodyFor(create), context: other });

  expect(theirs.status).toBe(201);
  expect(await shop.seen()).toEqual(before);
});

test('no combination with an own subscription id reaches the resources of another service', async () => {
  const shop = await shopWithEverything();
  const mine = await shop.api({
    method: 'POST',
    path: '/v1/subscriptions',
    body: bodyFor(OPERATIONS.find(({ id }) => id === 'createSubscription')!),
    context: other,
  });
  for (const operation of aboutSomething.filter(({ path }) => (path.match(/:/g) ?? []).length > 1)) {
    await shop.prepare(operation);
    const request = await shop.request(operation);
    const path = request.path.replace(/sub_[\w-]+/, mine.body.subscription_id);
    expect(await shop.api({ ...request, path, context: other })).toMatchObject({ status: 404 });
  }
});
