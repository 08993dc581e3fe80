import { OPERATIONS } from '../../functions/api/operations.ts';
import { paymentEvent } from '../support/builders.ts';
import type { Answer, Service } from '../support/deployed/deployed-stack.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { whateverTheId } from '../unit/api/builders.ts';
import { bodyFor } from '../unit/api/operations/every-operation.ts';

const aboutSomething = OPERATIONS.filter(({ path }) => path.includes(':'));

let service: Service;
let otherService: Service;
let ids: Readonly<Record<string, string | undefined>>;

/** A service with one of each resource. */
beforeAll(async () => {
  [service, otherService] = await Promise.all([stack.newService(), stack.newService()]);
  // Nothing listens there.
  const { id } = await service.subscribe('http://127.0.0.1:1/hooks');
  await stack.publish(
    paymentEvent({
      event_id: `evt-${service.serviceId}`.slice(0, 64),
      service_id: service.serviceId,
      occurred_at: new Date().toISOString(),
    }),
  );
  const [message] = await service.messages(id, (all) => all.length === 1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const recovery = await service.call('POST', `/subscriptions/${id}/recoveries`, { since });
  const { signing_secrets } = (await service.call('GET', `/subscriptions/${id}`)).body;
  ids = {
    subscription_id: id,
    message_id: message?.message_id,
    payment_id: message?.payment_id,
    recovery_id: recovery.body.recovery_id,
    secret_id: signing_secrets?.[0]?.secret_id,
    session_id: (await service.call('POST', '/portal-sessions', {})).body.session_id,
  };
});

/** @throws for a path parameter that this test does not know */
function pathWith(path: string, names: Readonly<Record<string, string | undefined>>): string {
  return path.replace('/v1', '').replace(/:(\w+)/g, (_, name) => {
    const id = names[name];
    if (id === undefined) {
      throw new Error(`set in beforeAll which ${name} the first service has`);
    }
    return id;
  });
}

/** The answer, without the parts that differ between any two requests. */
function said({ status, body: { request_id: _, ...body } }: Answer) {
  return { status, body };
}

test.each(aboutSomething.map((operation) => [operation.id, operation] as const))(
  '%s answers another service as if nothing existed',
  async (_, { method, path, ...operation }) => {
    const body = operation.body === undefined ? undefined : bodyFor({ method, path, ...operation });
    const nobodys = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, `${id?.split('_')[0]}_none`]),
    );

    const theirs = await otherService.call(method, pathWith(path, ids), body);

    expect(theirs).toMatchObject({ status: 404, body: { type: 'urn:payhooks:problem:not-found' } });
    const ofNobody = await otherService.call(method, pathWith(path, nobodys), body);
    expect(whateverTheId(said(theirs))).toEqual(whateverTheId(said(ofNobody)));
  },
);

test("another service that knows a payment's id learns nothing about it", async () => {
  const { payment_id } = (await service.call('GET', `/messages/${ids.message_id}`)).body;
  expect((await service.call('GET', `/messages?payment_id=${payment_id}`)).body.messages).toHaveLength(1);
  expect((await otherService.call('GET', `/messages?payment_id=${payment_id}`)).body).toEqual({
    messages: [],
  });
});

test("afterwards the first service's resources are unchanged, and its audit trail names nobody else", async () => {
  const [subscription] = (await service.call('GET', '/subscriptions')).body.subscriptions;
  expect(subscription).toMatchObject({ subscription_id: ids.subscription_id, state: 'active' });
  expect((await service.call('GET', `/messages/${ids.message_id}`)).status).toBe(200);
  const { changes } = (await service.call('GET', '/changes')).body;
  expect(changes.map(({ operation }: { operation: string }) => operation)).toEqual([
    'createPortalSession',
    'startRecovery',
    'createSubscription',
  ]);
  expect((await otherService.call('GET', '/changes')).body).toEqual({ changes: [] });
});
