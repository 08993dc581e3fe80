import { spawn } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { verifySignature } from 'http-message-sig';
import { createVerifier, httpbis } from 'http-message-signatures';
import { examplesPython } from '../../../support/examples-python.ts';

interface Jwk {
  readonly kid: string;
  readonly [name: string]: string | undefined;
}

/** A POST as a server receives it, and the key set that its receiver has. */
export interface SignedPost {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keys: readonly Jwk[];
}

type Verifies = (post: SignedPost) => Promise<boolean>;

/** What it says of each. */
type Verifier = (posts: readonly SignedPost[]) => Promise<readonly boolean[]>;

const REQUIRED = ['@method', '@authority', '@path', '@query', 'content-digest', 'webhook-id'];
const MAX_AGE_SECONDS = 300;

const keyOf = ({ keys }: SignedPost, keyid: unknown) => {
  const jwk = keys.find(({ kid }) => kid === keyid);
  return jwk && createPublicKey({ key: { ...jwk }, format: 'jwk' });
};

/** The libraries leave it to their callers. */
const hasDigest = ({ headers, body }: SignedPost) =>
  headers['content-digest'] === `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

const byExample: Verifier = (posts) => asked(process.execPath, 'drive-http-signature.mjs', posts);

const byHttpMessageSignatures: Verifies = async (post) => {
  try {
    const isSigned = await httpbis.verifyMessage(
      {
        maxAge: MAX_AGE_SECONDS,
        requiredParams: ['created', 'keyid', 'alg'],
        requiredFields: REQUIRED,
        async keyLookup({ keyid }) {
          const key = keyOf(post, keyid);
          return key === undefined
            ? null
            : { verify: createVerifier(key, 'ecdsa-p256-sha256'), algs: ['ecdsa-p256-sha256'] };
        },
      },
      { method: 'POST', url: post.url, headers: { ...post.headers } },
    );
    return isSigned === true && hasDigest(post);
  } catch {
    return false;
  }
};

const byHttpMessageSig: Verifies = async (post) => {
  const fields = Object.entries(post.headers).map(([name, value]) => ({ name, value }));
  try {
    await verifySignature(
      { kind: 'request', method: 'POST', targetUri: post.url, fields },
      {
        policy: {
          algorithms: ['ecdsa-p256-sha256'],
          requiredComponents: REQUIRED,
          requiredParameters: ['created', 'keyid'],
          maxAge: MAX_AGE_SECONDS,
        },
        resolveVerifier: ({ parameters }) => ({
          algorithm: 'ecdsa-p256-sha256',
          verify: (data, signature) =>
            verify(
              'sha256',
              data,
              { key: keyOf(post, parameters.keyid)!, dsaEncoding: 'ieee-p1363' },
              signature,
            ),
        }),
      },
    );
    return hasDigest(post);
  } catch {
    return false;
  }
};

const byPython: Verifier = async (posts) => asked(await examplesPython(), 'http_signature.py', posts);

/** A program beside this file reads POSTs, one a line, and prints what it says of each. */
async function asked(command: string, program: string, posts: readonly SignedPost[]) {
  const child = spawn(command, [path.join(import.meta.dirname, program)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(posts.map((post) => `${JSON.stringify(post)}\n`).join(''));
  const answers = (await text(child.stdout)).trim().split('\n');
  if (answers.length !== posts.length) {
    throw new Error(`${program} gave ${answers.length} answers to ${posts.length} webhooks`);
  }
  return answers.map((answer) => answer === 'true');
}

const each =
  (verifies: Verifies): Verifier =>
  (posts) =>
    Promise.all(posts.map(verifies));

/** Independent of each other and of ours. */
export const VERIFIERS: Readonly<Record<string, Verifier>> = {
  'our example': byExample,
  'http-message-signatures for Node': each(byHttpMessageSignatures),
  'http-message-sig for Node': each(byHttpMessageSig),
  'http-message-signatures for Python': byPython,
};
