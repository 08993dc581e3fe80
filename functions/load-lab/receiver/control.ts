import { type Answer, json, problem } from './answer.ts';
import type { ReceiverStore } from './store/receiver-store.ts';
import { readSettings } from './store/settings.ts';

/** A request that controls the experiment. `path` may have a query; `body` is parsed JSON. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/**
 * | request | answer |
 * | --- | --- |
 * | `PUT /{endpoint}/settings` | 204: replaces the settings; 400 with field and reason if invalid |
 * | `GET /{endpoint}/receipts?after=<number>` | a page of its receipts, in order of arrival |
 * | `DELETE /{endpoint}` | 204: deletes settings and receipts |
 */
export async function control(request: ControlRequest, store: ReceiverStore): Promise<Answer> {
  const { pathname, query } = splitPath(request.path);
  const [, endpoint, part, ...rest] = pathname.split('/');
  if (!isEndpoint(endpoint) || rest.length > 0) return notFound();

  switch (`${request.method} ${part ?? ''}`) {
    case 'PUT settings':
      return putSettings(endpoint, request.body, store);
    case 'GET receipts':
      return getReceipts(endpoint, query.get('after') ?? '0', store);
    case 'DELETE ':
      await store.forget(endpoint);
      return DONE;
    default:
      return notFound();
  }
}

const DONE: Answer = { status: 204, headers: {} };

/** Unlike `URL`, accepts whatever a request line may contain. */
export function splitPath(path: string): { readonly pathname: string; readonly query: URLSearchParams } {
  const [pathname = '', query] = path.split('?', 2);
  return { pathname, query: new URLSearchParams(query) };
}

export function isEndpoint(name: string | undefined): name is string {
  return name !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

export function notFound(): Answer {
  return problem(404, 'There is nothing here.');
}

async function putSettings(endpoint: string, body: unknown, store: ReceiverStore): Promise<Answer> {
  const read = readSettings(body);
  if (read.kind === 'unusable') return problem(400, 'The settings are not valid.', read.fieldErrors);
  await store.keepSettings(endpoint, read.value);
  return DONE;
}

async function getReceipts(endpoint: string, after: string, store: ReceiverStore): Promise<Answer> {
  if (!/^\d{1,9}$/.test(after)) {
    return problem(400, 'The query is not valid.', [{ field: 'after', reason: 'must be a whole number' }]);
  }
  return json(200, { receipts: await store.receiptsAfter(endpoint, Number(after)) });
}
