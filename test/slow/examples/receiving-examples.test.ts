import { examplesPython } from '../../support/examples-python.ts';
import { INSTALLING_MS } from '../../support/installing.ts';
import { type Example, has, inJava, inNode, inPython } from './verify/examples.ts';
import { type Expected, KNOWN_ANSWERS, PUBLIC_KEY, sent, webhooks } from './verify/webhooks.ts';

/** Once for all webhooks: each start of Java takes a second. */
function saysWhatItShould(example: Example, expected: readonly Expected[]): void {
  let answers: readonly boolean[] = [];
  beforeAll(async () => {
    answers = await example(expected.map(([, received]) => received));
  }, INSTALLING_MS);
  test.each(expected.map(([what, , genuine], index) => ({ what, genuine, index })))(
    '$what: $genuine',
    ({ genuine, index }) => expect(answers[index]).toBe(genuine),
  );
}

const describeWith = (command: string) => (has(command) ? describe : describe.skip);

describe('Verify a webhook in Node', () => {
  saysWhatItShould(inNode('verify.mjs', 'isGenuine'), [...KNOWN_ANSWERS, ...webhooks()]);
});

describeWith('python3')('Verify a webhook in Python (needs python3)', () => {
  saysWhatItShould(inPython('python3', 'verify.py', 'is_genuine'), [...KNOWN_ANSWERS, ...webhooks()]);
});

describeWith('javac')('Verify a webhook in Java (needs a JDK)', () => {
  saysWhatItShould(inJava, [...KNOWN_ANSWERS, ...webhooks()]);
});

describe('Verify a webhook with standardwebhooks for Node', () => {
  saysWhatItShould(inNode('with-library.mjs', 'eventOf'), webhooks());
});

describeWith('python3')('Verify a webhook with standardwebhooks for Python (needs python3)', () => {
  const installed: Example = async (received) => {
    return inPython(await examplesPython(), 'with_library.py', 'event_of')(received);
  };
  saysWhatItShould(installed, webhooks());
});

describe('Verify a webhook by a public key', () => {
  const publicKey = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
  const known = {
    body: '{"test": 2432232314}',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    signature: 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    secret: publicKey,
    nowSeconds: 1_614_265_330,
  };
  const hmac = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  saysWhatItShould(inNode('public-key.mjs', 'isSignedBy'), [
    ['the known answer of the standard', known, true],
    ['what has just been signed, with a secret and a private key', { ...sent(), secret: PUBLIC_KEY }, true],
    ['beside a signature with a secret', { ...known, signature: `${hmac} ${known.signature}` }, true],
    ['a signature with a secret alone', { ...known, signature: hmac }, false],
    ['another body', { ...known, body: '{"test": 2432232315}' }, false],
    ['another id', { ...known, id: 'msg_p5jXN8AQM9LWM0D4loKWxJel' }, false],
    ['another timestamp', { ...known, timestamp: '1614265331' }, false],
    ['five minutes and a second later', { ...known, nowSeconds: 1_614_265_631 }, false],
    ['no headers at all', { body: known.body, secret: publicKey }, false],
    ['a signature that was cut off', { ...known, signature: known.signature.slice(0, -4) }, false],
    [
      'the signature under another version',
      { ...known, signature: known.signature.replace('v1a', 'v1') },
      false,
    ],
    ['another key', { ...known, secret: `whpk_${Buffer.alloc(32, 7).toString('base64')}` }, false],
  ]);
});
