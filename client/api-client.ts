import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RefusedError, refusedError } from './refused-error.ts';

/** Where the HTTP API is, and who calls it. */
export interface Connection {
  /** Without `/v1` and without a final slash. */
  readonly apiUrl: string;
  readonly token: string;
}

export interface Call {
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
}

/**
 * Calls the HTTP API: `path` begins after `/v1`.
 *
 * @returns the JSON of the answer; undefined when it has none
 * @throws RefusedError when the answer is not 2xx
 */
export type ApiClient = (method: string, path: string, call?: Call) => Promise<unknown>;

/** Statuses that say: try again, and when. */
const PASSING = new Set([429, 503]);
const MOST_TRIES = 4;
const LONGEST_WAIT_MS = 30_000;
const DEFAULT_WAIT_MS = 1_000;

interface Around {
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
  /** Resolves after so many ms. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * What passes is tried again, after the time that the answer asks for: a request that changes something carries one `idempotency-key` through all
 * its tries, so that it is carried out once.
 */
export function apiClient(
  { apiUrl, token }: Connection,
  { signal, fetch: send = fetch, wait = (ms) => delay(ms, undefined, { signal }) }: Around = {},
): ApiClient {
  return async (method, path, { query = {}, body, ifMatch } = {}) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    const url = `${apiUrl}/v1${path}${search === '' ? '' : `?${search}`}`;
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    };
    for (let attempt = 1; ; attempt++) {
      const answer = await send(url, request);
      if (answer.ok) {
        const text = await answer.text();
        return text === '' ? undefined : JSON.parse(text);
      }
      const refused = await refusedError(`${method} ${path}`, answer);
      if (attempt === MOST_TRIES || !PASSING.has(answer.status)) {
        throw refused;
      }
      await wait(waitOf(answer));
    }
  };
}

function waitOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS;
}

/** Whether the API says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 404;
}
