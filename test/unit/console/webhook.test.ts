import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { curlOf } from '../../../console/messages/curl.ts';
import { laidOut } from '../../../console/messages/json-layout.ts';
import { checkSignature, type Given, sign } from '../../../console/messages/signature/signature.ts';
import { timestampOf } from '../../../console/messages/webhook.ts';
import { randomKeys } from '../../../functions/api/random-keys.ts';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { newGeneration } from '../../../functions/core/attempt/signing-keys.ts';
import { type Loopback, loopback } from '../../support/network/dead-address.ts';

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

const SECONDS = 1_614_265_330;
const { keys } = newGeneration({ ...randomKeys(undefined), createdAt: '2026-11-14T10:00:00.000Z' });

/** What a shell, a URL or curl might read as something else; longer than an argument may be. */
const BODY = `{"a":"it's $(id) \`id\` \\" \\\\ é\u202e %s","b":"@x -d","c":"${'w'.repeat(200_000)}"}`;
const TARGET = "/a[1-3]/%7Bb,c%7D/it's?q={d,e}&f[]=[g]&h=$HOME&i=%27%22;j!";

const message = { message_id: 'msg_1', attempt_count: 2, body: BODY };
const command = (origin: string, over: { secret?: string; extra?: ('v1a' | 'pay-signature')[] } = {}) => {
  const endpoint = { callback_url: `${origin}${TARGET}`, extra_signatures: over.extra ?? [] };
  return curlOf(message, endpoint, over.secret ?? keys.secret, SECONDS * 1_000);
};

test('a shell reads the command without complaint', async () => {
  const text = await command('https://shop.example', { extra: ['pay-signature'] });
  for (const shell of ['bash', 'sh']) {
    execFileSync(shell, ['-n'], { input: text });
  }
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? describe : describe.skip)('run in a shell (needs curl)', () => {
  let receiver: Loopback;
  const received: { target?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] =
    [];
  beforeAll(async () => {
    receiver = await loopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { url: target, headers } = request;
        received.push({ target, headers, body: Buffer.concat(chunks).toString() });
        response.end('taken');
      });
    });
  });
  afterAll(() => receiver.stop());

  test('it sends what an attempt sends, to the letter, whatever is in it', async () => {
    const shell = promisify(execFile)('sh', { encoding: 'utf8' });
    shell.child.stdin?.end(await command(receiver.url, { extra: ['v1a', 'pay-signature'] }));
    expect((await shell).stdout).toMatch(/^HTTP\/1.1 200 .*taken$/s);
    const sent = signedHeaders({
      messageId: 'msg_1',
      timestampSeconds: SECONDS,
      body: BODY,
      keys: [keys],
      extraSignatures: ['pay-signature'],
      attempt: 2,
    });
    expect(received).toMatchObject([{ target: TARGET, headers: sent, body: BODY }]);
  });
});

test('without a secret it is not signed', async () => {
  for (const secret of ['', 'whpk_AAAA']) {
    expect(await command('https://shop.example', { secret, extra: ['pay-signature'] })).not.toContain(
      'signature',
    );
  }
});
