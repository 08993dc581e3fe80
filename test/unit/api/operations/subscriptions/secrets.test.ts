import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, newSubscription } from '../../builders.ts';

const DAY_MS = 86_400_000;
const BROUGHT = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** A subscription with its first secret, and a clock that can be moved. */
async function given() {
  const subscriptions = inMemoryRegistry();
  const audit = inMemoryAuditTrail();
  let nowMs = TEN_O_CLOCK_MS;
  const api = apiOver({ subscriptions, audit, now: () => nowMs });
  const { body } = await api({ method: 'POST', path: '/v1/subscriptions', body: newSubscription });
  const itself = `/v1/subscriptions/${body.subscription_id}`;
  const [first] = body.signing_secrets;
  return {
    api,
    audit,
    itself,
    first: { ...first, secret: body.signing_secret },
    pass(ms: number) {
      nowMs += ms;
    },
    rotate: (wanted: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
      api({ method: 'POST', path: `${itself}/secrets`, body: wanted, headers, requestId: 'req_2' }),
    revoke: (id: string, headers: Readonly<Record<string, string>> = {}) =>
      api({ method: 'DELETE', path: `${itself}/secrets/${id}`, headers }),
    kept: () => subscriptions.secrets.get(body.subscription_id)!.secrets,
  };
}

test('after a rotation the new secret signs, and the old one for another day', async () => {
  const { rotate, first, kept, api, itself } = await given();
  const { status, body, headers } = await rotate();

  expect({ status, body }).toEqual({
    status: 201,
    body: {
      secret_id: expect.stringMatching(/^sec_/),
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      signing_secrets: [
        {
          secret_id: body.secret_id,
          public_key: expect.stringMatching(/^whpk_/),
          created_at: '2026-11-14T10:00:00.001Z',
        },
        {
          secret_id: first.secret_id,
          public_key: first.public_key,
          created_at: '2026-11-14T10:00:00.000Z',
          expires_at: '2026-11-15T10:00:00.000Z',
        },
      ],
      effective_within_seconds: 60,
    },
  });
  expect(kept()).toEqual({
    [first.secret_id]: expect.objectContaining({
      secret: first.secret,
      expires_at: '2026-11-15T10:00:00.000Z',
    }),
    [body.secret_id]: expect.objectContaining({ secret: body.signing_secret }),
  });
  const shown = await api({ path: itself });
  expect(shown.headers.etag).toBe(headers.etag);
  expect(shown.body.signing_secrets).toEqual(body.signing_secrets);
});

test('the body of a rotation is optional', async () => {
  const { api, itself } = await given();

  expect(await api({ method: 'POST', path: `${itself}/secrets` })).toMatchObject({ status: 201 });
});

test('a partner can supply its own secret', async () => {
  const { rotate, kept } = await given();
  const { body } = await rotate({ signing_secret: BROUGHT, overlap_seconds: 604_800 });

  expect(body.signing_secret).toBe(BROUGHT);
  expect(body.signing_secrets[1].expires_at).toBe('2026-11-21T10:00:00.000Z');
  expect(kept()[body.secret_id]?.secret).toBe(BROUGHT);
});

test('without an overlap the old secret is removed at once', async () => {
  const { rotate, kept } = await given();
  const { body } = await rotate({ overlap_seconds: 0 });

  expect(Object.keys(kept())).toEqual([body.secret_id]);
  expect(body.signing_secrets).toHaveLength(1);
});

test('an expired secret is no longer shown, and removed with the next change', async () => {
  const { rotate, pass, kept, api, itself, first } = await given();
  const second = await rotate();
  pass(DAY_MS);

  expect((await api({ path: itself })).body.signing_secrets).toMatchObject([
    { secret_id: second.body.secret_id },
  ]);
  expect(Object.keys(kept())).toHaveLength(2);
  const third = await rotate();
  expect(Object.keys(kept())).toEqual([second.body.secret_id, third.body.secret_id]);
  expect(Object.keys(kept())).not.toContain(first.secret_id);
});

test('at most four secrets are active; a fifth is refused until one is gone', async () => {
  const { rotate, revoke, first } = await given();
  for (let count = 2; count <= 4; count++) {
    expect(await rotate()).toMatchObject({ status: 201 });
  }

  expect(await rotate()).toMatchObject({
    status: 409,
    body: {
      type: 'urn:payhooks:problem:too-many-secrets',
      detail: '4 secrets are active: revoke one, or wait until one expires.',
    },
  });
  expect(await revoke(first.secret_id)).toMatchObject({ status: 200 });
  expect(await rotate()).toMatchObject({ status: 201 });
});

test('a revoked secret stops signing within a minute', async () => {
  const { rotate, revoke, first, kept } = await given();
  const { body } = await rotate();

  expect(await revoke(first.secret_id)).toMatchObject({
    status: 200,
    headers: { etag: '"3"' },
    body: {
      secret_id: first.secret_id,
      effective_at: '2026-11-14T10:01:00.000Z',
      signing_secrets: [{ secret_id: body.secret_id }],
    },
  });
  expect(Object.keys(kept())).toEqual([body.secret_id]);
});

test('the only secret without an expiry cannot be revoked', async () => {
  const { rotate, revoke, first } = await given();
  const last = { status: 409, body: { type: 'urn:payhooks:problem:last-secret' } };

  expect(await revoke(first.secret_id)).toMatchObject(last);
  const { body } = await rotate();
  expect(await revoke(body.secret_id)).toMatchObject(last);
});

test('an unknown or removed secret cannot be revoked', async () => {
  const { rotate, revoke, first, pass } = await given();
  const unknown = {
    status: 404,
    body: { detail: expect.stringMatching(/^This service has no secret sec_/) },
  };

  expect(await revoke('sec_none')).toMatchObject(unknown);
  await rotate();
  expect(await revoke(first.secret_id)).toMatchObject({ status: 200 });
  expect(await revoke(first.secret_id)).toMatchObject(unknown);
  const { body } = await rotate({ overlap_seconds: 60 });
  pass(60_000);
  expect(await revoke(body.signing_secrets[1].secret_id)).toMatchObject(unknown);
});

test('concurrent rotations each get their own secret', async () => {
  const { rotate, kept } = await given();

  const answers = await Promise.all([rotate(), rotate()]);

  const secrets = Object.values(kept()).map(({ secret }) => secret);
  expect(secrets).toEqual(expect.arrayContaining(answers.map(({ body }) => body.signing_secret)));
  expect(secrets).toHaveLength(3);
});

test('the audit trail has the ids of old and new secrets, but no secret', async () => {
  const { rotate, audit, first } = await given();
  const { body } = await rotate();

  expect(audit.entries[1]).toMatchObject({
    operation: 'rotateSecret',
    changed: {
      signing_secrets: {
        from: [{ secret_id: first.secret_id }],
        to: [{ secret_id: body.secret_id }, { secret_id: first.secret_id }],
      },
    },
  });
  expect(JSON.stringify(audit.entries)).not.toMatch(/whsec_|whsk_/);
});
