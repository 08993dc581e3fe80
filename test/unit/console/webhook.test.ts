import fc from 'fast-check';
import { laidOut } from '../../../console/messages/json-layout.ts';
import { checkSignature, type Given, sign } from '../../../console/messages/signature/signature.ts';
import { timestampOf } from '../../../console/messages/webhook.ts';
import { randomKeys } from '../../../functions/api/random-keys.ts';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { newGeneration } from '../../../functions/core/attempt/signing-keys.ts';

test('an attempt was signed with the second in which it began', () => {
  expect(timestampOf({ attempt: 1, started_at: '2021-02-25T15:02:10.999Z', duration_ms: 1 })).toBe(
    '1614265330',
  );
});

describe('a laid out body', () => {
  const withoutBlanks = (json: string) =>
    json.replace(/"(?:[^"\\]|\\.)*"|\s+/gs, (piece) => (piece.startsWith('"') ? piece : ''));

  test('has a line for each member, and every number and string as it is written', () => {
    expect(laidOut('{"a":1.50,"b":[12345678901234567890,{}],"c":"x, {y}: \\"z\\""}')).toBe(
      '{\n  "a": 1.50,\n  "b": [\n    12345678901234567890,\n    {}\n  ],\n  "c": "x, {y}: \\"z\\""\n}',
    );
  });

  test('differs from what was sent in blanks only', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(withoutBlanks(laidOut(json))).toBe(withoutBlanks(json));
      }),
    );
  });

  test('of what is no JSON is some text', () => {
    expect(() =>
      fc.assert(fc.property(fc.string(), (text) => typeof laidOut(text) === 'string')),
    ).not.toThrow();
  });
});

describe('a signature', () => {
  const SECONDS = 1_614_265_330;
  const { keys } = newGeneration({ ...randomKeys(undefined), createdAt: '2026-11-14T10:00:00.000Z' });
  const { info } = newGeneration({ ...randomKeys(undefined), createdAt: '2026-11-14T10:00:00.000Z' });
  const body = '{"a":"é"}';
  const headers = signedHeaders({
    messageId: 'msg_1',
    timestampSeconds: SECONDS,
    body,
    keys: [keys],
    extraSignatures: ['v1a'],
    attempt: 1,
  });
  const given: Given = {
    key: keys.secret,
    id: 'msg_1',
    timestamp: String(SECONDS),
    signatures: headers['webhook-signature'] ?? '',
    body,
    sent: body,
  };
  const check = (over: Partial<Given>, atSeconds = SECONDS) =>
    checkSignature({ ...given, ...over }, atSeconds * 1_000);

  test('of the standard is made as its vectors say', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const head = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.';
    expect(await sign(secret, `${head}{"test": 2432232314}`)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    expect(await sign(secret, `${head}{"a":"é"}`)).toBe('v1,c40+QlT2E7VqbRm6RlJnyUAxj4ZnlMCbeGqvhLESiY0=');
  });

  test('that we made fits, with the secret and with the public key', async () => {
    expect(await check({})).toEqual({ kind: 'fits', scheme: 'v1', isRecent: true });
    const own = newGeneration({ ...randomKeys(keys.secret), createdAt: '2026-11-14T10:00:00.000Z' });
    const signed = signedHeaders({
      messageId: 'msg_1',
      timestampSeconds: SECONDS,
      body,
      keys: [own.keys],
      extraSignatures: ['v1a'],
      attempt: 1,
    });
    expect(await check({ key: own.info.public_key, signatures: signed['webhook-signature'] ?? '' })).toEqual({
      kind: 'fits',
      scheme: 'v1a',
      isRecent: true,
    });
  });

  test('that is old fits, and a receiver would refuse it', async () => {
    expect(await check({}, SECONDS + 301)).toEqual({ kind: 'fits', scheme: 'v1', isRecent: false });
  });

  test('of a body that was written again is told from a wrong secret', async () => {
    expect(await check({ body: '{ "a": "é" }' })).toEqual({ kind: 'fits_as_sent' });
    expect(await check({ key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).toEqual({ kind: 'none_fits' });
    expect(await check({ timestamp: String(SECONDS + 1) })).toEqual({ kind: 'none_fits' });
    expect(await check({ key: info.public_key })).toEqual({ kind: 'none_fits' });
  });

  test('that is missing is told, with what it should be', async () => {
    const [v1 = ''] = given.signatures.split(' ');
    expect(await check({ signatures: ' ' })).toEqual({ kind: 'expected', signature: v1 });
    expect(await check({ key: info.public_key, signatures: v1 })).toEqual({
      kind: 'no_signature',
      scheme: 'v1a',
    });
  });

  test.each(['', 'whsec_', 'whsec_***', 'phk_abc', 'whpk_AAAA'])(
    'with the key %j is not checked, or fits not',
    async (key) => {
      expect(['no_key', 'none_fits']).toContain((await check({ key })).kind);
    },
  );
});
