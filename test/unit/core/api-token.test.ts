import {
  bearerToken,
  identify,
  type TokenRecord,
  tokenHash,
  tokenOf,
} from '../../../functions/core/api-token.ts';

const TOKEN = 'phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

const record: TokenRecord = {
  token_hash: 'h',
  service_id: 'shop',
  description: '',
  created_at: '2026-01-01T00:00:00.000Z',
};

test('a token spells its 32 random bytes after a prefix', () => {
  expect(tokenOf(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(TOKEN);
});

test('a token of too few bytes is not made', () => {
  expect(() => tokenOf(new Uint8Array(16))).toThrow('32 random bytes, not of 16');
});

test('a token is kept under its SHA-256', () => {
  // printf %s phk_... | sha256sum
  expect(tokenHash(TOKEN)).toBe('ef231690e65552cc950d0c1efbcd1241294a64695da5effaf3dc930035179c4f');
});

test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])('%j bears a token', (header) => {
  expect(bearerToken(header)).toEqual({ token: TOKEN });
});

test.each([
  [undefined, 'missing'],
  ['', 'missing'],
  ['  ', 'missing'],
  [TOKEN, 'malformed'],
  [`Basic ${TOKEN}`, 'malformed'],
  [`Bearer ${TOKEN}x`, 'malformed'],
  [`Bearer ${TOKEN.slice(0, -1)}`, 'malformed'],
  [`Bearer ${TOKEN}, Bearer ${TOKEN}`, 'malformed'],
  [`Bearer ${TOKEN}\n`, 'malformed'],
  ['Bearer whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'malformed'],
])('%j bears none: %s', (header, refusal) => {
  expect(bearerToken(header)).toBe(refusal);
});

test('a token that is on record belongs to its service', () => {
  expect(identify(record, 0)).toEqual({ kind: 'service', service_id: 'shop' });
});

test('a token that is not on record is nobody’s', () => {
  expect(identify(undefined, 0)).toEqual({ kind: 'refused', refusal: 'unknown' });
});

test('a token ends in the second that it was given, whether or not the table has dropped it', () => {
  const expiring = { ...record, expires_at_epoch_seconds: 1_000 };

  expect(identify(expiring, 999_999)).toEqual({ kind: 'service', service_id: 'shop' });
  expect(identify(expiring, 1_000_000)).toEqual({ kind: 'refused', refusal: 'expired' });
});
