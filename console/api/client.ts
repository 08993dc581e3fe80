import { serviceIn } from '../app/route.ts';
import { FailedRequestError, failureIn } from './failure.ts';
import type { Answer } from './queries.ts';

/** As long as the API itself may take, and the way there and back. */
const TIMEOUT_MS = 25_000;

interface Sending {
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  /** The same for every repeat of one request. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** `request` rejects with FailedRequestError, or with an AbortError when the caller's signal ends it. */
export interface ApiClient {
  readonly request: <Body>(method: string, path: string, sending?: Sending) => Promise<Answer<Body>>;
}

/** Where the API is: beside this page. */
const base = new URL('.', location.href.split('#')[0]);

/**
 * The API on behalf of a token, which goes into a header and nowhere else.
 *
 * @param token undefined for the operations that need none
 * @param rejected called when the token is not accepted
 */
export function apiClient(
  token: string | undefined,
  rejected: (detail: string) => void = () => {},
): ApiClient {
  return {
    async request<Body>(method: string, path: string, sending: Sending = {}): Promise<Answer<Body>> {
      const answer = await sent(token, method, path, sending);
      const body = await answer.json().catch(() => undefined);
      if (answer.ok && (body !== undefined || answer.status === 204)) {
        const { headers } = answer;
        return {
          body,
          etag: headers.get('etag') ?? undefined,
          service: headers.get('payhooks-service') ?? undefined,
        };
      }
      const failure = failureIn(answer.status, body, answer.headers.get('retry-after'));
      if (failure.kind === 'signed_out' && token !== undefined) {
        rejected(failure.detail);
      }
      throw new FailedRequestError(failure);
    },
  };
}

async function sent(
  token: string | undefined,
  method: string,
  path: string,
  { body, ifMatch, idempotencyKey, signal }: Sending,
): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const service = serviceIn(location.hash);
  try {
    return await fetch(new URL(path.replace(/^\//, ''), base), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(service === undefined ? {} : { 'payhooks-service': service }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new FailedRequestError({ kind: timeout.aborted ? 'late' : 'unreachable' });
  }
}
