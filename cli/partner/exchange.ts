import { type ConnectionError, connectionError } from '../terminal/explanation.ts';
import { OtherApiError, refusedError } from './refused-error.ts';

/** A complete answer. */
export interface Whole extends Pick<Response, 'ok' | 'status' | 'headers'> {
  readonly text: string;
}

/** Sends a request once; a missing answer is a value. */
export async function exchange(
  send: typeof fetch,
  url: string,
  request: RequestInit,
): Promise<Whole | { readonly failure: ConnectionError }> {
  try {
    const answer = await send(url, request);
    const { ok, status, headers } = answer;
    return { ok, status, headers, text: await answer.text() };
  } catch (error) {
    const failure = connectionError(error);
    if (failure === undefined) {
      throw error;
    }
    return { failure };
  }
}

/**
 * The JSON of an answer, with the `etag` of its headers; undefined when it has none.
 *
 * @throws RefusedError, OtherApiError
 */
export function membersOf(
  { ok, status, headers, text }: Whole,
  call: string,
  other: string,
  doubt: string,
): unknown {
  if (ok && text === '') {
    return undefined;
  }
  const json = jsonOf(text);
  if (json === undefined || (ok && !headers.has('x-request-id'))) {
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const what = type === '' ? 'something without a type' : type;
    const without = json === undefined ? '' : ' and no x-request-id';
    throw new OtherApiError(`${other}: it answered ${status} with ${what}${without}. ${doubt}`.trimEnd());
  }
  if (!ok) {
    throw refusedError(call, status, json);
  }
  const etag = headers.get('etag');
  return etag === null ? json : { ...(json as object), etag };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
