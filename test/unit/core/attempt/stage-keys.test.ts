import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeptSecrets } from '../../../../functions/core/attempt/signing-keys.ts';
import {
  jwksOf,
  newStageKey,
  rotatedStageKeys,
  type StageKeySet,
  signingStageKey,
} from '../../../../functions/core/attempt/stage-keys.ts';

const HOUR_MS = 3_600_000;
const TEN = Date.parse('2026-11-14T10:00:00.000Z');

/** A stage, as its two items hold it. */
function stage() {
  let set: StageKeySet = { version: 0, keys: [] };
  let kept: KeptSecrets = { secrets: {} };
  let made = 0;
  return {
    /** @returns the id of the new key, or undefined when it was refused */
    rotate(nowMs: number, overlapMs = 24 * HOUR_MS) {
      made += 1;
      const change = rotatedStageKeys(set, Buffer.alloc(32, made), overlapMs, nowMs);
      if (change === undefined) {
        return undefined;
      }
      const { added, expiring, removed } = change;
      set = { version: set.version + 1, keys: [...change.keys] };
      const staying = Object.entries(kept.secrets).filter(([kid]) => !removed.includes(kid));
      kept = {
        secrets: Object.fromEntries([
          ...staying.map(([kid, key]) => [
            kid,
            expiring[kid] === undefined ? key : { ...key, expires_at: expiring[kid] },
          ]),
          [added.listed.kid, added.kept],
        ]),
      };
      return added.listed.kid;
    },
    signer: (nowMs: number) => signingStageKey(kept, nowMs)?.kid,
    listed: (nowMs: number) => jwksOf(set, nowMs).keys.map(({ kid }) => kid),
    held: () => Object.keys(kept.secrets),
  };
}

test('a key is listed as a JSON Web Key under its thumbprint, and its halves belong together', () => {
  const { listed, kept } = newStageKey(Buffer.alloc(32, 7), '2026-11-14T10:00:00.000Z');
  const [jwk] = jwksOf({ keys: [listed] }, TEN).keys;

  expect(jwk).toEqual({
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    kid: 'gWjt7nmB1udyFpLYVp0SxJnI8lJEvl7q8AFYZRqnGV8',
    x: 'HhhTL9R1TALzBB2cdc6zO4P_2BrHzk_ogsyxyYvFiW4',
    y: 'pGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM',
    created_at: '2026-11-14T10:00:00.000Z',
  });
  const text = Buffer.from('text');
  const signature = sign('sha256', text, {
    key: Buffer.from(kept.private_key, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  expect(verify('sha256', text, createPublicKey({ key: { ...jwk }, format: 'jwk' }), signature)).toBe(true);
});

test('the first key signs at once', () => {
  const { rotate, signer, listed } = stage();
  expect(signer(TEN)).toBeUndefined();
  const first = rotate(TEN);
  expect([signer(TEN), listed(TEN)]).toEqual([first, [first]]);
});

test('the next key is listed a day before it signs, and the one before it a day after it has signed', () => {
  const { rotate, signer, listed } = stage();
  const first = rotate(TEN);
  const rotatedAt = TEN + 100 * HOUR_MS;
  const next = rotate(rotatedAt);

  expect([signer(rotatedAt), listed(rotatedAt)]).toEqual([first, [next, first]]);
  const expired = rotatedAt + 24 * HOUR_MS;
  expect(signer(expired - 1)).toBe(first);
  expect([signer(expired), listed(expired)]).toEqual([next, [next, first]]);
  expect(listed(expired + 24 * HOUR_MS - 1)).toEqual([next, first]);
  expect(listed(expired + 24 * HOUR_MS)).toEqual([next]);
});

test('what does not sign any more is not kept', () => {
  const { rotate, held } = stage();
  rotate(TEN);
  const second = rotate(TEN + HOUR_MS);
  const third = rotate(TEN + 30 * HOUR_MS);
  expect(held()).toEqual([second, third]);
});

test('a leaked key goes at once, and from the list', () => {
  const { rotate, signer, listed, held } = stage();
  rotate(TEN);
  const next = rotate(TEN + HOUR_MS, 0);
  expect([signer(TEN + HOUR_MS), listed(TEN + HOUR_MS), held()]).toEqual([next, [next], [next]]);
});

test('somebody who rotates again and again changes nothing about who signs, and is stopped', () => {
  const { rotate, signer } = stage();
  const first = rotate(TEN);
  expect([rotate(TEN), rotate(TEN), rotate(TEN), rotate(TEN)].map((kid) => kid === undefined)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(signer(TEN + HOUR_MS)).toBe(first);
});

test('a clock that runs behind makes no key that is older than those there are', () => {
  const { rotate, signer } = stage();
  const first = rotate(TEN);
  const next = rotate(TEN - HOUR_MS);
  expect(signer(TEN - HOUR_MS)).toBe(first);
  expect(signer(TEN + 24 * HOUR_MS)).toBe(next);
});
