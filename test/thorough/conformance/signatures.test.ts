import { createHmac } from 'node:crypto';
import { service } from '../../support/deployed/own-service.ts';
import { subscribed, verifies } from '../../support/deployed/signed-subscriptions.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, bytes).toString('base64')}`;

test('after two rotations a webhook verifies with each of three secrets and no other', async () => {
  const { secret, rotate, next } = await subscribed({ extra_signatures: ['pay-signature'] });
  const secrets = [
    secret,
    (await rotate()).signing_secret,
    (await rotate({ signing_secret: secretOf(32) })).signing_secret,
  ];
  const webhook = await next();
  expect(new Set(secrets).size).toBe(3);
  expect(secrets.map((one) => verifies(webhook, one))).toEqual([true, true, true]);
  expect(verifies(webhook, secretOf(33))).toBe(false);
  expect(verifies({ ...webhook, body: webhook.body.replace('1', '2') }, secret)).toBe(false);
  const hexOf = (one: string) => createHmac('sha256', one).update(webhook.body).digest('hex');
  // One signature of this kind fits into its header: that of the oldest secret, which every receiver knows.
  expect(webhook.headers['pay-signature']).toBe(hexOf(secret));
});

test('each rotation makes another secret, ours or one that the partner brings; it is shown once, and its id is listed first', async () => {
  const { path, secret, rotate } = await subscribed();
  const brought = secretOf(32);
  const [first, second] = [await rotate(), await rotate({ signing_secret: brought })];
  expect(first.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(second.signing_secret).toBe(brought);
  expect(new Set([secret, first.signing_secret, brought]).size).toBe(3);

  const { body } = await service.call('GET', path);
  expect(body.signing_secrets).toEqual(second.signing_secrets);
  expect(body.signing_secrets.slice(1)).toEqual(
    first.signing_secrets.map((one: object) => ({ ...one, expires_at: expect.any(String) })),
  );
  expect(JSON.stringify(body)).not.toContain('whsec_');
});

test('a fifth secret is refused until one is revoked', async () => {
  const { path, rotate } = await subscribed();
  for (let more = 1; more <= 3; more += 1) await rotate();
  const refused = await service.call('POST', `${path}/secrets`);
  expect(refused).toMatchObject({ status: 409, body: { type: 'urn:payhooks:problem:too-many-secrets' } });

  const { signing_secrets } = (await service.call('GET', path)).body;
  expect(signing_secrets).toHaveLength(4);
  const revoked = await service.call('DELETE', `${path}/secrets/${signing_secrets[3].secret_id}`);
  expect(revoked.status).toBe(200);
  await rotate();
});

test('a partner brings a secret at creation and in a rotation, none that is empty or with a wrong overlap, and ends the one before', async () => {
  const [first, second] = [secretOf(32), secretOf(40)];
  const { path, rotate, next } = await subscribed({ signing_secret: first });
  for (const [field, wrong] of [
    ['signing_secret', { signing_secret: '' }],
    ['overlap_seconds', { signing_secret: second, overlap_seconds: '2026-11-25' }],
    ['expires_at', { signing_secret: second, expires_at: '2026-11-25T00:00:00Z' }],
  ] as const) {
    const refused = await service.call('POST', `${path}/secrets`, wrong);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  }
  const { signing_secrets } = await rotate({ signing_secret: second });
  const during = await next();
  expect([verifies(during, first), verifies(during, second)]).toEqual([true, true]);

  const before = signing_secrets[1].secret_id;
  expect((await service.call('DELETE', `${path}/secrets/${before}`)).status).toBe(200);
  const after = await next();
  expect([verifies(after, first), verifies(after, second)]).toEqual([false, true]);
});

test('the shortest and the longest secret of a partner sign', async () => {
  for (const signing_secret of [secretOf(24), secretOf(64)]) {
    const { secret, next } = await subscribed({ signing_secret });
    expect(secret).toBe(signing_secret);
    expect(verifies(await next(), signing_secret)).toBe(true);
  }
});
