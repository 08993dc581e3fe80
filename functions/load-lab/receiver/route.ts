import { type Answer, problem } from './answer.ts';
import { control, isEndpoint, notFound, splitPath } from './control.ts';
import { type ReceiverPorts, receive, type Sender } from './receive.ts';

/** An HTTP request from any source. `headers`: by name, in lower case; `body`: the raw bytes. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface RoutePorts extends ReceiverPorts {
  /** Whether anybody who can reach the receiver may control it. */
  readonly controlIsOpen: boolean;
}

/**
 * Accepts webhooks from everybody, and control requests only where they are open; elsewhere they get the same
 * 404 as any path.
 */
export async function route(
  request: HttpRequest,
  sender: Sender,
  ports: RoutePorts,
): Promise<Answer | undefined> {
  const { method, path, headers, body } = request;
  const { pathname, query } = splitPath(path);
  const endpoint = pathname.slice(1);
  if (method === 'POST' && isEndpoint(endpoint)) {
    return receive({ endpoint, query, headers, body }, sender, ports);
  }
  if (!ports.controlIsOpen) return notFound();
  const read = readJson(body);
  if (read === undefined) {
    return problem(400, 'The body is not valid.', [{ field: 'body', reason: 'must be JSON' }]);
  }
  return control({ method, path, body: read.value }, ports.store);
}

function readJson(body: Uint8Array): { readonly value: unknown } | undefined {
  if (body.length === 0) return { value: undefined };
  try {
    return { value: JSON.parse(Buffer.from(body).toString('utf8')) };
  } catch {
    return undefined;
  }
}
