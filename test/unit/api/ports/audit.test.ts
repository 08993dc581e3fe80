import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { inMemoryAuditTrail } from '../../../../functions/core/api/audit-trail.ts';
import { apiOver, newSubscription, other } from '../builders.ts';
import { shopWithEverything } from '../operations/every-operation.ts';
import { auditPromises } from './audit-contract.ts';

describe('the audit trail in memory', () => {
  auditPromises(inMemoryAuditTrail);
});

/** All but those that only ask. */
const changing = OPERATIONS.filter(
  ({ method, id }) => method !== 'GET' && id !== 'checkUrl' && !id.startsWith('preview'),
);

test.each(changing.map((operation) => [operation.id, operation] as const))(
  '%s is in the trail once it has changed something, without any secret',
  async (id, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const request = await shop.request(operation);
    const before = shop.audit.entries.length;

    const answer = await shop.api(request);

    expect(answer.status).toBeLessThan(300);
    const added = shop.audit.entries.slice(before);
    expect(added).toMatchObject([
      {
        service_id: 'shop',
        // Who exchanges a code acts as the session.
        token_id: operation.scope === 'none' ? expect.stringMatching(/^ses_/) : 'tok_1',
        request_id: 'req_1',
        operation: id,
        at: '2026-11-14T10:00:00.000Z',
        ...(operation.tag === 'Portal sessions'
          ? { changed: { portal_session: expect.anything() } }
          : { subscription_id: expect.stringMatching(/^sub_/) }),
      },
    ]);
    expect(JSON.stringify(added)).not.toMatch(/whsec_|whsk_|ph[cks]_|card_number/);
  },
);

test.each(changing.map((operation) => [operation.id, operation] as const))(
  '%s leaves no entry where it is refused',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const request = await shop.request(operation);
    const before = [...shop.audit.entries];

    const answer = operation.path.includes(':')
      ? await shop.api({ ...request, context: other })
      : await shop.api({ ...request, body: { colour: 'red' } });

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(shop.audit.entries).toEqual(before);
  },
);

test('a change succeeds even if it cannot be recorded in the trail', async () => {
  const audit = { ...inMemoryAuditTrail(), keep: () => Promise.reject(new Error('no table')) };
  const api = apiOver({ audit });

  expect(await api({ method: 'POST', path: '/v1/subscriptions', body: newSubscription })).toMatchObject({
    status: 201,
  });
  expect((await api({ path: '/v1/subscriptions' })).body.subscriptions).toHaveLength(1);
});

/** Two changes, in two minutes, by tokens of two services. */
async function given() {
  let minute = 0;
  const now = () => Date.parse('2026-11-14T10:00:00Z') + minute * 60_000;
  const api = apiOver({ now });
  const created = await api({ method: 'POST', path: '/v1/subscriptions', body: newSubscription });
  const { subscription_id } = created.body;
  minute = 1;
  await api({ method: 'POST', path: `/v1/subscriptions/${subscription_id}/pause` });
  await api({ method: 'POST', path: '/v1/subscriptions', body: newSubscription, context: other });
  return { api, subscription_id };
}

test('the changes of a service are listed newest first: who, when and what', async () => {
  const { api, subscription_id } = await given();

  expect((await api({ path: '/v1/changes' })).body).toMatchObject({
    changes: [
      {
        at: '2026-11-14T10:01:00.000Z',
        request_id: 'req_1',
        token_id: 'tok_1',
        operation: 'pauseSubscription',
        subscription_id,
        changed: { state: { from: 'active', to: 'paused' } },
      },
      { at: '2026-11-14T10:00:00.000Z', operation: 'createSubscription', subscription_id },
    ],
  });
});

test('changes can be filtered by subscription', async () => {
  const { api, subscription_id } = await given();
  const of = async (id: string) =>
    (await api({ path: '/v1/changes', query: `subscription_id=${id}` })).body.changes;

  expect(await of(subscription_id)).toHaveLength(2);
  expect(await of('sub_none')).toEqual([]);
});

test('a page of changes continues where the previous one ended', async () => {
  const { api } = await given();

  const first = await api({ path: '/v1/changes', query: 'limit=1' });
  const second = await api({ path: '/v1/changes', query: `limit=1&cursor=${first.body.next_cursor}` });

  expect([first, second].map(({ body }) => body.changes[0].operation)).toEqual([
    'pauseSubscription',
    'createSubscription',
  ]);
  expect(second.body).not.toHaveProperty('next_cursor');
});

test('the cursor of another service pages only through the own list', async () => {
  const { api } = await given();
  const { body } = await api({ path: '/v1/changes', query: 'limit=1' });

  const theirs = await api({ path: '/v1/changes', query: `cursor=${body.next_cursor}`, context: other });

  expect(JSON.stringify(theirs.body)).not.toContain('pauseSubscription');
});

test('a cursor in our form that names no instant is refused', async () => {
  const query = `cursor=${Buffer.from('["a","b"]').toString('base64url')}`;
  expect(await apiOver()({ path: '/v1/changes', query })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'cursor' }] },
  });
});
