import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionErrorSentence, ExplainedError } from '../terminal/explanation.ts';
import { exchange, membersOf } from './exchange.ts';
import { RefusedError } from './refused-error.ts';

/** Where the HTTP API is, and who calls it. */
export interface Connection {
  /** Without `/v1` and without a final slash. */
  readonly apiUrl: string;
  readonly token: string;
  /** A question that helps when the API does not answer. */
  readonly doubt?: string;
}

interface Call {
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
}

/**
 * Calls the HTTP API: `path` begins after `/v1`.
 *
 * @returns the JSON of the answer, with the `etag` that came in its headers; undefined when it has none
 * @throws RefusedError when the answer is not 2xx
 * @throws OtherApiError when it is not JSON
 * @throws ExplainedError when there is no answer
 */
export type ApiClient = (method: string, path: string, call?: Call) => Promise<unknown>;

/** Statuses that say when to try again. */
const PASSING = new Set([429, 503]);
/** An unknown host name is still unknown a second later. */
const LASTING = ['ENOTFOUND'];
const MAX_TRIES = 4;
const LONGEST_WAIT_MS = 30_000;
const DEFAULT_WAIT_MS = 1_000;

interface Around {
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
  /** Resolves after a time in ms. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Retries passing errors, after the time that the answer asks for, and reads that failed on our side. A request that changes something carries
 * the same `idempotency-key` each time, so it is carried out once. A request without an answer is retried
 * too, unless it has no such key and may have been carried out.
 */
export function apiClient(
  { apiUrl, token, doubt = '' }: Connection,
  { signal, fetch: send = fetch, wait = (ms) => delay(ms, undefined, { signal }) }: Around = {},
): ApiClient {
  return async (method, path, { query = {}, body, ifMatch } = {}) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    const where = `${apiUrl}/v1${path}`;
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
    const isRepeatable = method === 'GET' || method === 'POST';
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_TRIES;
      const answer = await exchange(send, search === '' ? where : `${where}?${search}`, request);
      if ('failure' in answer) {
        if (
          isLast ||
          !isRepeatable ||
          LASTING.includes(answer.failure.code) ||
          answer.failure.kind === 'untrusted'
        ) {
          const unsure =
            isRepeatable || answer.failure.kind !== 'broken'
              ? ''
              : ' The request may have been carried out: check.';
          throw new ExplainedError(
            `${connectionErrorSentence(answer.failure, apiUrl)}${unsure} ${doubt}`.trimEnd(),
          );
        }
        await wait(DEFAULT_WAIT_MS);
        continue;
      }
      const isPassing = PASSING.has(answer.status) || (method === 'GET' && answer.status >= 500);
      if (isLast || !isPassing) {
        return membersOf(answer, `${method} ${path}`, `${where} is not the Payhooks API`, doubt);
      }
      await wait(waitOf(answer.headers));
    }
  };
}

function waitOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS;
}

/** Whether the API answered 404. */
export function isMissing(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 404;
}
