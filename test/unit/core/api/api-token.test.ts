import {
  bearerToken,
  removalOf,
  stateOf,
  tokenHash,
  tokenIdOf,
  tokenOf,
  tokenRecordSchema,
} from '../../../../functions/core/api/api-token.ts';
import { tokenRecord } from '../../api/authorize/token-record.ts';

const TOKEN = 'phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

test('a token is a prefix and 32 encoded random bytes', () => {
  expect(tokenOf(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(TOKEN);
});

test('too few random bytes are refused', () => {
  expect(() => tokenOf(new Uint8Array(16))).toThrow('32 random bytes, not 16');
});

test('a token is stored under its SHA-256', () => {
  // printf %s phk_... | sha256sum
  expect(tokenHash(TOKEN)).toBe('ef231690e65552cc950d0c1efbcd1241294a64695da5effaf3dc930035179c4f');
});

test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])('%j contains a token', (header) => {
  expect(bearerToken(header)).toEqual({ token: TOKEN });
});

test.each([
  [undefined, 'missing'],
  ['', 'missing'],
  ['  ', 'missing'],
  [TOKEN, 'no_scheme'],
  [`${TOKEN}x`, 'malformed'],
  [`Basic ${TOKEN}`, 'malformed'],
  [`Bearer ${TOKEN}x`, 'malformed'],
  [`Bearer ${TOKEN.slice(0, -1)}`, 'malformed'],
  [`Bearer ${TOKEN}, Bearer ${TOKEN}`, 'malformed'],
  [`Bearer ${TOKEN}\n`, 'malformed'],
  ['Bearer whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'malformed'],
])('%j contains none: %s', (header, refusal) => {
  expect(bearerToken(header)).toBe(refusal);
});

test('the id of a token is the start of its hash', () => {
  expect(tokenIdOf(tokenHash(TOKEN))).toBe('tok_ef231690e65552cc');
});

test('a token from before scopes and limits has both scopes and the default limit', () => {
  const old = { token_hash: 'h', token_id: 'tok_1', service_id: 'shop', description: '', created_at: 'then' };
  expect(tokenRecordSchema.parse(old)).toEqual({
    ...old,
    scopes: ['read', 'write'],
    requests_per_minute: 600,
  });
});

test.each([
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['admin'] }],
  ['a limit of zero', { requests_per_minute: 0 }],
  ['a limit that is too high', { requests_per_minute: 60_001 }],
  ['half a request', { requests_per_minute: 1.5 }],
])('a record with %s is not a token', (_, over) => {
  expect(tokenRecordSchema.safeParse(tokenRecord(over as object)).success).toBe(false);
});

test('a token expires on time, whether or not the table has removed it', () => {
  const expiring = tokenRecord({ expires_at_epoch_seconds: 1_000 });

  expect(stateOf(expiring, 999_999)).toBe('active');
  expect(stateOf(expiring, 1_000_000)).toBe('expired');
});

test('a revoked token is still revoked after it has expired', () => {
  const ended = tokenRecord({ expires_at_epoch_seconds: 1_000, revoked_at: '1970-01-01T00:00:01.000Z' });
  expect(stateOf(ended, 1_000_000)).toBe('revoked');
});

test('an ended token may be removed after 40 days', () => {
  expect(removalOf(Date.parse('2026-01-01T00:00:00.999Z'))).toBe(
    Date.parse('2026-02-10T00:00:00.000Z') / 1_000,
  );
});
