import { createHmac } from 'node:crypto';
import { signedHeaders } from '../../../../functions/core/attempt/signature.ts';
import { keyPairOf } from '../../../../functions/core/attempt/signing-keys.ts';
import type { Received } from './examples.ts';

/** What a receiver has to say of a webhook. */
export type Expected = readonly [what: string, received: Received, genuine: boolean];

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const ID = 'msg_2Ktbxb6MqKrTbSTojdaE617f';
const BODY = `{"webhook_message_id":"${ID}","api_version":1,"resource":{"description":"£10 für Café ☕"}}`;

/**
 * Known answers: those of the standard's own example, and one with a character of two bytes; seen at the
 * second they were signed.
 */
const known = {
  ascii: {
    ...{ id, timestamp: '1614265330', nowSeconds: 1_614_265_330, secret: SECRET },
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  accented: {
    ...{ id, timestamp: '1614265330', nowSeconds: 1_614_265_330, secret: SECRET },
    body: '{"a":"é"}',
    signature: 'v1,c40+QlT2E7VqbRm6RlJnyUAxj4ZnlMCbeGqvhLESiY0=',
  },
} as const satisfies Record<string, Received>;

const { private_key, public_key } = keyPairOf(Buffer.alloc(32, 1));
export const PUBLIC_KEY = public_key;

/** What Payhooks sends, signed this many seconds ago, with these secrets, the newest first. */
export function sent({ secrets = [SECRET], secondsAgo = 0, body = BODY } = {}): Received {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - secondsAgo;
  const keys = secrets.map((secret) => ({ secret, private_key }));
  const headers = signedHeaders({
    ...{ messageId: ID, timestampSeconds, body, keys, attempt: 1 },
    extraSignatures: ['v1a', 'pay-signature'],
  });
  return {
    body,
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    secret: SECRET,
  };
}

/**
 * For whoever can be told what time it is. The libraries cannot, and take a signature with something behind
 * it.
 */
export const KNOWN_ANSWERS: readonly Expected[] = [
  ['the known answer of the standard', known.ascii, true],
  ['the known answer with an accented letter', known.accented, true],
  [
    'one known answer with the signature of the other',
    { ...known.ascii, signature: known.accented.signature },
    false,
  ],
  ['a known answer five minutes later', { ...known.ascii, nowSeconds: 1_614_265_630 }, true],
  ['a known answer a second after that', { ...known.ascii, nowSeconds: 1_614_265_631 }, false],
  [
    'a known answer by a clock that is five minutes slow',
    { ...known.ascii, nowSeconds: 1_614_265_030 },
    true,
  ],
  ['a known answer by a clock that is slower', { ...known.ascii, nowSeconds: 1_614_265_029 }, false],
  [
    'a known answer with something behind its signature',
    { ...known.ascii, signature: `${known.ascii.signature}A` },
    false,
  ],
  ['a known answer, today', { ...known.ascii, nowSeconds: undefined }, false],
  ['a forgery, by a receiver whose secret is not set', forgedWithoutKey(''), false],
  ['a forgery, by a receiver whose secret is cut off', forgedWithoutKey('whsec_'), false],
];

/** Signed with the empty key. */
function forgedWithoutKey(secret: string): Received {
  const signature = createHmac('sha256', '').update(`${id}.1614265330.${BODY}`).digest('base64');
  return { ...known.ascii, body: BODY, secret, signature: `v1,${signature}` };
}

/** As they are signed, or are not, at this moment. */
export function webhooks(): Expected[] {
  const good = sent();
  const digest = good.signature?.slice('v1,'.length).split(' ')[0] ?? '';
  const v1 = `v1,${digest}`;
  return [
    ['what has just been signed', good, true],
    ['a body of 256 KB', sent({ body: `{"a":"${'é'.repeat(128 * 1_024)}"}` }), true],
    ['during a rotation, by a receiver that has the older secret', sent({ secrets: [OTHER, SECRET] }), true],
    ['during a rotation, by a receiver that has the newer secret', sent({ secrets: [SECRET, OTHER] }), true],
    [
      'beside a signature of a kind it does not know',
      { ...good, signature: `v1a,${digest} v9,x ${v1}` },
      true,
    ],
    ['signed four minutes ago', sent({ secondsAgo: 240 }), true],
    ['signed six minutes ago', sent({ secondsAgo: 360 }), false],
    ['signed six minutes from now', sent({ secondsAgo: -360 }), false],
    ['an old one with a new date', { ...sent({ secondsAgo: 3_600 }), timestamp: good.timestamp }, false],
    ['signed with the secret of somebody else', sent({ secrets: [OTHER] }), false],
    ['a body with another amount', { ...good, body: BODY.replace('10', '99') }, false],
    ['a body that was cut off', { ...good, body: BODY.slice(0, -1) }, false],
    [
      'a body that was parsed and written again',
      { ...good, body: JSON.stringify(JSON.parse(BODY), null, 1) },
      false,
    ],
    ['no body', { ...good, body: '' }, false],
    ['the id of another message', { ...good, id }, false],
    ['a signature that was cut off', { ...good, signature: v1.slice(0, -4) }, false],
    ['the version alone', { ...good, signature: 'v1,' }, false],
    ['the digest alone', { ...good, signature: digest }, false],
    ['the digest under another version', { ...good, signature: `v2,${digest}` }, false],
    ['a signature that is not ASCII', { ...good, signature: 'v1,é' }, false],
    ['an empty signature', { ...good, signature: '' }, false],
    ['no signature', { ...good, signature: undefined }, false],
    ['no id', { ...good, id: undefined }, false],
    ['no timestamp', { ...good, timestamp: undefined }, false],
    ['a timestamp that is no number', { ...good, timestamp: 'today' }, false],
    ['a timestamp of five thousand digits', { ...good, timestamp: '1'.repeat(5_000) }, false],
    ['no headers at all', { body: BODY, secret: SECRET }, false],
  ];
}
