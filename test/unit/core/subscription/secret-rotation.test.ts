import type { SigningSecretInfo } from '../../../../functions/core/attempt/signing-secret.ts';
import { revoked, rotated } from '../../../../functions/core/subscription/secret-rotation.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const HOUR_MS = 3_600_000;
const random = {
  id: new Uint8Array(12),
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  seed: new Uint8Array(32),
};
const NEW = 'sec_AAAAAAAAAAAAAAAA';

const secret = (secret_id: string, created: string, expires?: string): SigningSecretInfo => ({
  secret_id,
  public_key: 'whpk_',
  created_at: `2026-11-14T${created}:00.000Z`,
  ...(expires === undefined ? {} : { expires_at: `2026-11-14T${expires}:00.000Z` }),
});
const having = (...signing_secrets: SigningSecretInfo[]) => subscription({ signing_secrets });
const rotate = (...[of, overlapMs = HOUR_MS]: [ReturnType<typeof having>, number?]) =>
  rotated(of, random, overlapMs, TEN_O_CLOCK_MS);

test('a rotation says what happens to each secret without reading any', () => {
  const revision = rotate(
    having(secret('c', '09:00'), secret('b', '08:00', '10:30'), secret('a', '07:00', '10:00')),
  );

  expect(revision?.secrets).toMatchObject({
    added: { info: { secret_id: NEW } },
    expiring: { c: '2026-11-14T11:00:00.000Z' },
    removed: ['a'],
  });
  expect(revision?.subscription.signing_secrets).toMatchObject([
    { secret_id: NEW, created_at: '2026-11-14T10:00:00.000Z' },
    secret('c', '09:00', '11:00'),
    secret('b', '08:00', '10:30'),
  ]);
});

test('without an overlap, secrets without an expiry are removed at once', () => {
  const revision = rotate(having(secret('c', '09:00'), secret('b', '08:00', '10:30')), 0);

  expect(revision?.secrets).toMatchObject({ expiring: {}, removed: ['c'] });
  expect(revision?.subscription.signing_secrets?.map(({ secret_id }) => secret_id)).toEqual([NEW, 'b']);
});

test('a new secret is newer than all others, whatever the clocks say', () => {
  const revision = rotate(having(secret('a', '10:05')));

  expect(revision?.secrets?.added?.keys.created_at).toBe('2026-11-14T10:05:00.001Z');
});

test('at most four secrets are active', () => {
  const three = [secret('c', '09:00'), secret('b', '08:00', '10:30'), secret('a', '07:00', '10:30')];
  const four = [...three, secret('0', '06:00', '10:30')];

  expect(rotate(having(...three))).toBeDefined();
  expect(rotate(having(...four))).toBeUndefined();
  expect(rotate(having(...four), 0)).toBeDefined();
});

test('a subscription without a known secret gets one', () => {
  expect(rotate(subscription())?.subscription.signing_secrets).toMatchObject([{ secret_id: NEW }]);
});

test('a revocation also removes expired secrets', () => {
  const known = having(secret('c', '09:00'), secret('b', '08:00', '10:30'), secret('a', '07:00', '10:00'));

  expect(revoked(known, 'b', TEN_O_CLOCK_MS)).toEqual({
    subscription: having(secret('c', '09:00')),
    secrets: { removed: ['b', 'a'] },
  });
  expect(revoked(known, 'a', TEN_O_CLOCK_MS)).toBe('unknown');
  expect(revoked(known, 'd', TEN_O_CLOCK_MS)).toBe('unknown');
  expect(revoked(known, 'c', TEN_O_CLOCK_MS)).toBe('last');
});
