import { Webhook } from 'standardwebhooks';
import { contentDigest } from '../../../../../functions/core/attempt/http-signature.ts';
import type { KeptSecrets } from '../../../../../functions/core/attempt/signing-keys.ts';
import { newStageKey } from '../../../../../functions/core/attempt/stage-keys.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, signingKeys, subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { event, world } from '../world.ts';

/** The headers of the first attempt of a message. */
async function headersWith(secrets: KeptSecrets, over: Partial<Subscription> = {}, stageKeys?: KeptSecrets) {
  const made = world({ subscriptions: [subscription(over)] });
  const { lookUp } = made.ports;
  made.ports.lookUp = async (wanted) => ({
    ...(await lookUp(wanted)),
    secrets: new Map([
      ['sub_1', secrets],
      ...(stageKeys === undefined ? [] : [['#keys', stageKeys] as const]),
    ]),
  });
  await made.run(event('a1'));
  const [post] = made.posts;
  return { ...post!.headers, body: post!.body } as Record<string, string>;
}

const instantBefore = new Date(TEN_O_CLOCK_MS).toISOString();

test('a webhook carries the headers that its owner wants', async () => {
  const headers = await headersWith({
    ...keptSecrets(),
    custom_headers: { authorization: 'Basic c2hvcDo=' },
  });

  expect(headers).toMatchObject({ authorization: 'Basic c2hvcDo=', 'webhook-attempt': '1' });
});

test('what is ours is ours, whatever stands in the table', async () => {
  const custom_headers = {
    'webhook-signature': 'v1,forged',
    'webhook-id': 'msg_forged',
    'content-type': 'text/plain',
  };
  const { body = '', ...headers } = await headersWith({ ...keptSecrets(), custom_headers });

  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['webhook-id']).not.toBe('msg_forged');
  expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(body).not.toBe('');
});

describe('a subscription that wants rfc9421', () => {
  const wanting = { extra_signatures: ['rfc9421' as const] };
  const before = newStageKey(Buffer.alloc(32, 1), '2026-11-01T00:00:00.000Z');
  const next = newStageKey(Buffer.alloc(32, 2), '2026-11-13T00:00:00.000Z');
  const keptWith = (expires_at: string): KeptSecrets => ({
    secrets: { [next.listed.kid]: next.kept, [before.listed.kid]: { ...before.kept, expires_at } },
  });

  test('is signed for with the oldest key of the stage that has not expired, whatever its own headers say', async () => {
    const secrets = { ...keptSecrets(), custom_headers: { signature: 'forged', 'x-shop': 'bakery' } };
    const headers = await headersWith(secrets, wanting, keptWith('2026-11-20T00:00:00.000Z'));
    expect(headers).toMatchObject({
      'content-digest': contentDigest(headers.body as string),
      'signature-input': expect.stringContaining(`keyid="${before.listed.kid}"`),
      signature: expect.stringMatching(/^payhooks=:/),
      'webhook-signature': expect.stringMatching(/^v1,/),
      'x-shop': 'bakery',
    });

    const later = await headersWith(keptSecrets(), wanting, keptWith(instantBefore));
    expect(later['signature-input']).toContain(`keyid="${next.listed.kid}"`);
  });

  test('waits for an operator while the stage has no key: nothing goes out without it', async () => {
    const { run, posts, keys } = world({ subscriptions: [subscription(wanting)] });
    await run(event('a1'));
    expect(posts).toEqual([]);
    expect(JSON.stringify([...keys.values()])).toContain('npm run ops -- stage-keys rotate');
  });
});

test('a secret that has expired by the time of the attempt signs no more', async () => {
  const old = signingKeys({ expires_at: instantBefore });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = await headersWith({
    secrets: { sec_old: old, sec_new: signingKeys({ secret, created_at: '2026-11-13T10:00:00.000Z' }) },
  });

  expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
  const verify = (with_: string) =>
    new Webhook(with_).sign(headers['webhook-id']!, new Date(TEN_O_CLOCK_MS), headers.body!);
  expect(headers['webhook-signature']).toBe(verify(secret));
});

describe('what is secret of a subscription is a minute old at most when it signs', () => {
  const later = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  /**
   * The first attempt takes ten seconds; at the beginning of the second the secrets that were read are good
   * no more.
   */
  async function secondOfTwo(over: { readonly isGone?: boolean } = {}) {
    const made = world({ attemptTakesMs: 10_000 });
    const { lookUp } = made.ports;
    let readings = 0;
    made.ports.lookUp = async (wanted) => {
      readings += 1;
      const found = await lookUp(wanted);
      const nowMs = made.ports.now();
      return readings === 1
        ? { ...found, secrets: new Map([['sub_1', { ...keptSecrets(), goodUntilMs: nowMs + 10_000 }]]) }
        : over.isGone
          ? { ...found, subscriptions: new Map(), secrets: new Map() }
          : {
              ...found,
              secrets: new Map([['sub_1', { secrets: { sec_2: signingKeys({ secret: later }) } }]]),
            };
    };
    await made.run(event('a1'), event('a2'));
    const second = made.posts[1]!;
    const signedWith = (secret: string) =>
      new Webhook(secret).sign(
        second.headers['webhook-id']!,
        new Date(Number(second.headers['webhook-timestamp']) * 1_000),
        second.body,
      );
    return { readings, signature: second.headers['webhook-signature'], signedWith };
  }

  test('what is older is looked up again, in the middle of a batch too', async () => {
    const { readings, signature, signedWith } = await secondOfTwo();
    expect(signature).toBe(signedWith(later));
    // The batch, then the secrets, and the circuit after each of two slow successes.
    expect(readings).toBe(4);
  });

  test('an attempt at a subscription that has just been deleted is signed as the others of its batch', async () => {
    const { signature, signedWith } = await secondOfTwo({ isGone: true });
    expect(signature).toBe(signedWith(signingKeys().secret));
  });
});

test('a subscription gets the signatures that it wants besides', async () => {
  const headers = await headersWith(keptSecrets(), { extra_signatures: ['v1a', 'pay-signature'] });

  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  expect(headers['pay-signature']).toMatch(/^[0-9a-f]{64}$/);
});
