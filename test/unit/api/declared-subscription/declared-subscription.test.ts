import type { LambdaClient } from '@aws-sdk/client-lambda';
import { askApi } from '../../../../functions/api/declared-subscription/ask-api.ts';
import { declarationRequestOf } from '../../../../functions/api/declared-subscription/declaration.ts';
import { declaredSubscription } from '../../../../functions/api/declared-subscription/declared-subscription.ts';
import { inMemoryAuditTrail } from '../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { inMemoryHistory } from '../../../../functions/core/message/message-history.ts';
import { apiOver, messageRecord, registryOfShop } from '../builders.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ARN = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:shop';
const FIELDS = {
  callback_url: 'https://shop.example/hooks',
  description: '',
  event_types: ['card_payment_*'],
  filter: null,
  fields: null,
  timeout_ms: 10_000,
  schedule: 'standard',
  extra_signatures: [],
  rate_limit: null,
  contact: null,
};

const properties = ({ fields = {}, ...over }: Record<string, unknown> & { fields?: object } = {}) => ({
  ServiceToken: 'arn:aws:lambda:eu-west-1:111122223333:function:x',
  serviceId: 'shop',
  live: 'true',
  secretArn: ARN,
  deleteWhileWaiting: 'false',
  ...over,
  fields: JSON.stringify({ ...FIELDS, ...fields }),
});

/** A stack of CloudFormation before our whole API, over stores in memory. */
function world(given: NonNullable<Parameters<typeof apiOver>[0]> = {}, stored?: string) {
  const audit = inMemoryAuditTrail();
  const subscriptions = given.subscriptions ?? inMemoryRegistry();
  const api = apiOver({ audit, ...given, subscriptions });
  const secrets = new Map(stored === undefined ? [] : [[ARN, stored]]);
  let waits = 0;
  const lambda = {
    async send({ input }: { input: { Payload: string } }) {
      const { rawPath, rawQueryString, headers, body, requestContext } = JSON.parse(input.Payload);
      const { status, body: answered } = await api({
        method: requestContext.http.method,
        path: rawPath,
        query: rawQueryString,
        headers,
        body,
        requestId: requestContext.requestId,
        context: requestContext.authorizer.lambda,
      });
      return { Payload: Buffer.from(JSON.stringify({ statusCode: status, body: JSON.stringify(answered) })) };
    },
  };
  const ports = {
    ask: askApi(lambda as unknown as LambdaClient, 'api'),
    secrets: {
      read: async (arn: string) => secrets.get(arn),
      write: async (arn: string, secret: string) => void secrets.set(arn, secret),
    },
    newSecret: () => SECRET,
    wait: async () => {
      waits += 1;
    },
  };
  let requests = 0;
  const ask = (request: object) => {
    requests += 1;
    return declaredSubscription(
      declarationRequestOf({
        StackId: 'arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-prod/1234',
        RequestId: `request-${requests}`,
        LogicalResourceId: 'Shop',
        ResponseURL: 'https://cloudformation.example/answer',
        ...request,
      }),
      ports,
    );
  };
  return { ask, audit, subscriptions, secrets, waits: () => waits };
}

const create = (over = {}) => ({ RequestType: 'Create', ResourceProperties: properties(over) });
const update = (id: string, before = {}, after = {}) => ({
  RequestType: 'Update',
  PhysicalResourceId: id,
  OldResourceProperties: properties(before),
  ResourceProperties: properties(after),
});
const remove = (id: string, over = {}) => ({
  RequestType: 'Delete',
  PhysicalResourceId: id,
  ResourceProperties: properties(over),
});

test('a stack creates a subscription; its secret lies where the template says, and the trail names the stack', async () => {
  const { ask, subscriptions, secrets, audit } = world();
  const id = await ask(create());
  expect(await subscriptions.find('shop', id)).toMatchObject({
    callback_url: 'https://shop.example/hooks',
    event_types: ['card_payment_*'],
    live: true,
  });
  expect([...secrets]).toEqual([[ARN, SECRET]]);
  expect(audit.entries).toMatchObject([
    { service_id: 'shop', operation: 'createSubscription', token_id: 'stack shop-prod', subscription_id: id },
  ]);
});

test('a request that CloudFormation repeats creates nothing twice', async () => {
  const { ask, subscriptions } = world();
  const ids = [await ask({ ...create(), RequestId: 'same' }), await ask({ ...create(), RequestId: 'same' })];
  expect(ids[0]).toBe(ids[1]);
  expect(await subscriptions.list('shop')).toHaveLength(1);
});

test('a secret that is there already signs, such as one that partners have', async () => {
  const own = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const { ask, secrets } = world({}, own);
  await ask(create());
  expect([...secrets]).toEqual([[ARN, own]]);
});

test('a change keeps the subscription, and what is not declared any more is removed', async () => {
  const { ask, subscriptions } = world();
  const filter = { resource: { amount: [{ numeric: ['>=', 10_000] }] } };
  const narrow = { filter, fields: ['/amount'] };
  const id = await ask(create({ fields: { contact: 'it@shop.example', rate_limit: 5, ...narrow } }));
  expect(await subscriptions.find('shop', id)).toMatchObject({ ...narrow, filter: JSON.stringify(filter) });
  expect(await ask(update(id, {}, { fields: { timeout_ms: 5_000 } }))).toBe(id);
  const changed = await subscriptions.find('shop', id);
  expect(changed).toMatchObject({ timeout_ms: 5_000 });
  for (const name of ['contact', 'rate_limit', 'filter', 'fields']) {
    expect(changed).not.toHaveProperty(name);
  }
});

test.each([{ live: 'false' }, { serviceId: 'bakery' }, { secretArn: `${ARN}-2` }])(
  'a change of %j makes another one',
  async (over) => {
    const { ask } = world();
    const id = await ask(create());
    expect(await ask(update(id, {}, over))).not.toBe(id);
  },
);

test('one that exists is adopted: it is changed, and keeps its secret', async () => {
  const { ask, subscriptions, secrets } = world();
  const id = await ask(create());
  secrets.clear();
  const adopted = { adopt: id, secretArn: undefined, fields: { callback_url: 'https://new.example/hooks' } };
  expect(await ask(create(adopted))).toBe(id);
  expect(await subscriptions.find('shop', id)).toMatchObject({ callback_url: 'https://new.example/hooks' });
  expect([...secrets]).toEqual([]);
});

test('what the API refuses fails, with its reason', async () => {
  const { ask } = world({
    callbackUrls: { vet: async () => ({ kind: 'refused', reason: 'leads to a private address' }) },
  });
  await expect(ask(create())).rejects.toThrow(
    /^POST \/v1\/subscriptions was answered 422: .*private address/,
  );
  await expect(ask(create({ adopt: 'sub_none' }))).rejects.toThrow('has no subscription sub_none');
  await expect(ask(create({ fields: { event_types: ['nothing'] } }))).rejects.toThrow('event_types');
});

test('a deletion is repeatable, and one of what was never created has nothing to do', async () => {
  const { ask, subscriptions } = world();
  const id = await ask(create());
  await ask(remove(id));
  await ask(remove(id));
  await ask(remove('not-created'));
  expect(await subscriptions.list('shop')).toEqual([]);
});

test.each(['retrying', 'parked'] as const)(
  'while a message is %s it is not deleted, unless the declaration allows it',
  async (state) => {
    const history = inMemoryHistory([{ record: messageRecord({ state }), laterAttempts: [] }]);
    const { ask, subscriptions } = world({ history, subscriptions: await registryOfShop() });
    await expect(ask(remove('sub_1'))).rejects.toThrow('messages still wait for the endpoint of sub_1');
    await ask(remove('sub_1', { deleteWhileWaiting: 'true' }));
    expect(await subscriptions.list('shop')).toEqual([]);
  },
);

test('a request that another one was in the way of is made again', async () => {
  let looks = 0;
  const vet = async ({ url }: { url: string }) => {
    looks += 1;
    return looks < 3
      ? ({ kind: 'undecided', reason: 'no answer' } as const)
      : ({ kind: 'accepted', url } as const);
  };
  const { ask, waits } = world({ callbackUrls: { vet } });
  await ask(create());
  expect(waits()).toBe(2);
});
