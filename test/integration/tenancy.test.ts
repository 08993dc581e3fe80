import { OPERATIONS } from '../../functions/api/operations.ts';
import { paymentEvent } from '../support/builders.ts';
import {
  type Answer,
  type DeployedStack,
  deployedStack,
  type Service,
} from '../support/deployed/deployed-stack.ts';
import { whateverTheId } from '../unit/api/builders.ts';
import { bodyFor } from '../unit/api/operations/every-operation.ts';

const aboutSomething = OPERATIONS.filter(({ path }) => path.includes(':'));

let stack: DeployedStack;
let owner: Service;
let stranger: Service;
let ids: Readonly<Record<string, string | undefined>>;

/** A service with one of everything. */
beforeAll(async () => {
  stack = await deployedStack();
  [owner, stranger] = await Promise.all([stack.newService(), stack.newService()]);
  // Nobody listens there.
  const { id } = await owner.subscribe('http://127.0.0.1:1/hooks');
  await stack.publish(
    paymentEvent({
      event_id: `evt-${owner.serviceId}`.slice(0, 64),
      service_id: owner.serviceId,
      occurred_at: new Date().toISOString(),
    }),
  );
  const [message] = await owner.messages(id, (all) => all.length === 1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const recovery = await owner.call('POST', `/subscriptions/${id}/recoveries`, { since });
  const { signing_secrets } = (await owner.call('GET', `/subscriptions/${id}`)).body;
  ids = {
    subscription_id: id,
    message_id: message?.message_id,
    recovery_id: recovery.body.recovery_id,
    secret_id: signing_secrets?.[0]?.secret_id,
  };
});
afterAll(() => stack?.close());

/** @throws when a parameter of a path is new here */
function pathWith(path: string, names: Readonly<Record<string, string | undefined>>): string {
  return path.replace('/v1', '').replace(/:(\w+)/g, (_, name) => {
    const id = names[name];
    if (id === undefined) {
      throw new Error(`say in beforeAll which ${name} the owner has`);
    }
    return id;
  });
}

/** What is said, apart from what distinguishes any two requests. */
function said({ status, body: { request_id: _, ...body } }: Answer) {
  return { status, body };
}

test.each(aboutSomething.map((operation) => [operation.id, operation] as const))(
  '%s answers a stranger as if there were nothing',
  async (_, { method, path, ...operation }) => {
    const body = operation.body === undefined ? undefined : bodyFor({ method, path, ...operation });
    const nobodys = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, `${id?.split('_')[0]}_none`]),
    );

    const theirs = await stranger.call(method, pathWith(path, ids), body);

    expect(theirs).toMatchObject({ status: 404, body: { type: 'urn:payhooks:problem:not-found' } });
    const ofNobody = await stranger.call(method, pathWith(path, nobodys), body);
    expect(whateverTheId(said(theirs))).toEqual(whateverTheId(said(ofNobody)));
  },
);

test('a stranger who knows the id of a payment learns nothing of it', async () => {
  const { payment_id } = (await owner.call('GET', `/messages/${ids.message_id}`)).body;
  expect((await owner.call('GET', `/messages?payment_id=${payment_id}`)).body.messages).toHaveLength(1);
  expect((await stranger.call('GET', `/messages?payment_id=${payment_id}`)).body).toEqual({ messages: [] });
});

test('after all that the owner has everything as it was, and the trail knows of nobody else', async () => {
  const [subscription] = (await owner.call('GET', '/subscriptions')).body.subscriptions;
  expect(subscription).toMatchObject({ subscription_id: ids.subscription_id, state: 'active' });
  expect((await owner.call('GET', `/messages/${ids.message_id}`)).status).toBe(200);
  const { changes } = (await owner.call('GET', '/changes')).body;
  expect(changes.map(({ operation }: { operation: string }) => operation)).toEqual([
    'startRecovery',
    'createSubscription',
  ]);
  expect((await stranger.call('GET', '/changes')).body).toEqual({ changes: [] });
});
