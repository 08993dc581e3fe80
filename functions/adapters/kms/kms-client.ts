import { sleep } from '../../runtime/sleep.ts';
import { type Credentials, signed } from './sigv4.ts';

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
  readonly credentials: Credentials;
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
 * Two calls of KMS. The SDK's client would add 28 KB to functions that have no room for it: deliver and api
 * may weigh 600 KB.
 */
export function kmsClient({ region, credentials, endpoint }: Options): CallKms {
  const url = new URL(endpoint ?? `https://kms.${region}.amazonaws.com`);
  return async (operation, input) => {
    const body = JSON.stringify(input);
    const headers = {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `TrentService.${operation}`,
    };
    for (let tried = 1; ; tried += 1) {
      try {
        const toSign = { service: 'kms', region, headers, body, nowMs: Date.now() };
        return await post(url, signed(toSign, credentials), body);
      } catch (error) {
        if (tried === TRIES || !mayPass(error)) {
          throw error;
        }
        await sleep(PAUSE_MS * tried);
      }
    }
  };
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
