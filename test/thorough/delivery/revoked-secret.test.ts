import { service } from '../../support/deployed/own-service.ts';
import { subscribed, verifies } from '../../support/deployed/signed-subscriptions.ts';
import { eventually } from '../../support/eventually.ts';

test('a secret that is revoked while in use stops signing at the announced instant', async () => {
  const { path, secret, rotate, next, end } = await subscribed();
  const { signing_secret, signing_secrets } = await rotate();
  expect(verifies(await next(), secret)).toBe(true);

  const revoked = await service.call('DELETE', `${path}/secrets/${signing_secrets[1].secret_id}`);
  expect(revoked.status).toBe(200);
  const effectiveAtMs = Date.parse(revoked.body.effective_at);
  expect(effectiveAtMs - Date.now()).toBeLessThanOrEqual(60_000);
  await eventually('it is effective', async () => Date.now() >= effectiveAtMs, { everyMs: 1_000 });

  const webhook = await next();
  expect([verifies(webhook, secret), verifies(webhook, signing_secret)]).toEqual([false, true]);
  await end();
});
