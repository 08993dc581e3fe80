import { paymentEvent } from '../../support/builders.ts';
import type { Answer } from '../../support/deployed/deployed-stack.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

const SUBSCRIPTION = {
  callback_url: 'http://127.0.0.1:1/hooks',
  description: 'orders',
  event_types: ['card_payment_*'],
  live: false,
};

function expectProblem(answer: Answer, status: number, about: object = {}): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({ status, title: expect.any(String), ...about });
}

test('a subscription is created, shown, listed and deleted; its secret is shown once', async () => {
  const created = await service.call('POST', '/subscriptions', SUBSCRIPTION);
  expect(created.status).toBe(201);
  const { signing_secret, ...rest } = created.body;
  expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(rest).toMatchObject({
    ...SUBSCRIPTION,
    subscription_id: expect.stringMatching(/^sub_/),
    state: 'active',
  });

  const path = `/subscriptions/${rest.subscription_id}`;
  expect((await service.call('GET', path)).body).toEqual(rest);
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [rest] });
  expect((await service.call('DELETE', path)).status).toBe(204);
  expectProblem(await service.call('DELETE', path), 404);
  expectProblem(await service.call('GET', path), 404);
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [] });
});

test.each([
  ['no token', {}],
  ['a wrong token', { authorization: 'Bearer phk_wrong' }],
  ['another scheme', { authorization: 'Basic YTpi' }],
])('%s gets 401', async (_, headers) => {
  const answer = await fetch(`${stack.outputs.apiUrl}/v1/subscriptions`, {
    headers: headers as Record<string, string>,
  });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(await answer.json()).toMatchObject({ status: 401 });
});

test.each([
  ['a missing URL', { callback_url: undefined }, 'callback_url'],
  ['a URL that is not a web URL', { callback_url: 'ftp://127.0.0.1/' }, 'callback_url'],
  ['a reserved header', { custom_headers: { 'webhook-id': 'mine' } }, 'custom_headers.webhook-id'],
  ['a secret that is too short', { signing_secret: 'whsec_c2hvcnQ=' }, 'signing_secret'],
  ['no event types', { event_types: [] }, 'event_types'],
  ['an unknown event type', { event_types: ['card_payment_sneezed'] }, 'event_types'],
  ['live of the wrong type', { live: 'yes' }, 'live'],
  ['an unknown field', { colour: 'blue' }, 'colour'],
])('a subscription with %s gets 400, the field and the reason', async (_, over, field) => {
  const answer = await service.call('POST', '/subscriptions', { ...SUBSCRIPTION, ...over });
  expectProblem(answer, 400, {
    errors: expect.arrayContaining([{ field: expect.stringContaining(field), reason: expect.any(String) }]),
  });
});

test('a body that is not JSON gets 400', async () => {
  expectProblem(await service.call('POST', '/subscriptions', '{"callback_url":'), 400);
});

test.each([
  ['http://example.com/hooks'],
  ['https://10.0.0.1/hooks'],
  ['https://user:pass@example.com/'],
  ['https://3232235777/'],
  ['https://[fd00::1]/'],
])('the callback URL %s gets 422 and the reason', async (callback_url) => {
  const answer = await service.call('POST', '/subscriptions', { ...SUBSCRIPTION, callback_url });
  expectProblem(answer, 422, { detail: expect.stringMatching(/.{10,}/) });
});

test("another service's resources look as if they did not exist", async () => {
  const other = await stack.newService();
  const { id } = await other.subscribe(SUBSCRIPTION.callback_url);
  await stack.publish(
    paymentEvent({
      event_id: `evt-${other.serviceId}`.slice(0, 64),
      service_id: other.serviceId,
      occurred_at: new Date().toISOString(),
    }),
  );
  const [message] = await other.messages(id, (all) => all.length === 1);
  for (const [method, path] of [
    ['GET', `/subscriptions/${id}`],
    ['DELETE', `/subscriptions/${id}`],
    ['GET', `/subscriptions/${id}/messages`],
    ['GET', `/messages/${message?.message_id}`],
  ] as const) {
    expectProblem(await service.call(method, path), 404);
  }
  expect((await other.call('GET', `/subscriptions/${id}`)).status).toBe(200);
  expect((await other.call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
});

test('unknown ids and routes get 404', async () => {
  expectProblem(await service.call('GET', '/subscriptions/sub_unknown'), 404);
  expectProblem(await service.call('GET', '/messages/msg_unknown'), 404);
  expectProblem(await service.call('GET', '/nonsense'), 404);
});

test('messages are listed newest first, page by page, each once', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  for (const number of [1, 2, 3, 4, 5]) {
    await stack.publish(
      paymentEvent({
        event_id: `${number}-${service.serviceId}`.slice(0, 64),
        payment_id: `pay-${number}`,
        service_id: service.serviceId,
        occurred_at: new Date().toISOString(),
      }),
    );
  }
  const all = await service.messages(id, (messages) => messages.length === 5);
  expect(all.map(({ event_id }) => event_id[0])).toEqual(['5', '4', '3', '2', '1']);
  expect(all[0]).not.toHaveProperty('body');

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.call(
      'GET',
      `/subscriptions/${id}/messages?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    expect(page.status).toBe(200);
    seen.push(...page.body.messages.map(({ event_id }: { event_id: string }) => event_id[0]));
    cursor = page.body.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(['5', '4', '3', '2', '1']);
  expectProblem(await service.call('GET', `/subscriptions/${id}/messages?cursor=nonsense`), 400);
  expectProblem(await service.call('GET', `/subscriptions/${id}/messages?limit=0`), 400);
  await service.call('DELETE', `/subscriptions/${id}`);
});

test('a service can register its twenty subscriptions at once, and no more than twenty', async () => {
  await Promise.all(Array.from({ length: 20 }, () => service.subscribe(SUBSCRIPTION.callback_url)));
  expectProblem(await service.call('POST', '/subscriptions', SUBSCRIPTION), 409);
});
