import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { sleep } from '../../runtime/remembered-for.ts';

/** A call of KMS: blobs are base64, as in its JSON. */
export type CallKms = (
  operation: 'GenerateDataKey' | 'Decrypt',
  input: Readonly<Record<string, unknown>>,
) => Promise<{ readonly Plaintext: string; readonly CiphertextBlob: string }>;

/** An answer of KMS that is no success: `name` says which. */
export class KmsError extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, status: number) {
    super(`KMS answers ${status} ${name}`);
    this.name = name;
    this.status = status;
  }
}

interface Options {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** @default - that of the region */
  readonly endpoint?: string | undefined;
}

const TRIES = 3;
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 100;

/** From the environment that Lambda sets, as lib/bundling/lambda-credentials.ts. */
export function kmsOnLambda(environment: NodeJS.ProcessEnv): CallKms {
  const { AWS_REGION = '', AWS_ENDPOINT_URL } = environment;
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = environment;
  return kmsClient({
    region: AWS_REGION,
    endpoint: AWS_ENDPOINT_URL,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    },
  });
}

/**
 * Two calls of KMS, signed as the SDK signs. Its client would add 28 KB to functions that have no room for
 * it: deliver and api may weigh 600 KB.
 */
export function kmsClient({ region, credentials, endpoint }: Options): CallKms {
  const url = new URL(endpoint ?? `https://kms.${region}.amazonaws.com`);
  const signer = new SignatureV4({
    service: 'kms',
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  return async (operation, input) => {
    const body = JSON.stringify(input);
    const headers = {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `TrentService.${operation}`,
    };
    for (let tried = 1; ; tried += 1) {
      try {
        const { protocol, hostname } = url;
        const signed = await signer.sign({ method: 'POST', protocol, hostname, path: '/', headers, body });
        return await post(url, signed.headers, body);
      } catch (error) {
        if (tried === TRIES || !mayPass(error)) {
          throw error;
        }
        await sleep(PAUSE_MS * tried);
      }
    }
  };
}

/** The hash that the signer wants: an HMAC if there is a secret. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', secret as NodeJS.ArrayBufferView);
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('each hash is used once');
  }
}

async function post(url: URL, headers: Record<string, string>, body: string) {
  const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await answer.text();
  if (!answer.ok) {
    // `com.amazonaws.kms#DisabledException`, or a page of something in between.
    throw new KmsError(/"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(text)?.[1] ?? 'UnknownError', answer.status);
  }
  return JSON.parse(text);
}

/** No answer, one of ours in trouble, or too many of us. */
function mayPass(error: unknown): boolean {
  return !(error instanceof KmsError) || error.status >= 500 || error.name === 'ThrottlingException';
}
