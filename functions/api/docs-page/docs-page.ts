import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ProblemKind, problem } from '../../core/api/problem.ts';

/** A public file. */
export interface Publication {
  /** Compressed with brotli. */
  readonly brotli: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parts of an event that are used. Header names are in lower case. */
export type DocsPageRequest = Pick<APIGatewayProxyEventV2, 'routeKey' | 'pathParameters' | 'headers'> & {
  readonly requestContext: Pick<APIGatewayProxyEventV2['requestContext'], 'requestId'> & {
    readonly http: Pick<APIGatewayProxyEventV2['requestContext']['http'], 'method'>;
  };
};

const METHODS: readonly string[] = ['GET', 'HEAD'];

/** The route of all paths outside the API, where nothing is published. */
const ELSEWHERE = '$default';

/** What stands in a route for the name of a file. */
export const ANY_FILE = '{file}';

/**
 * Answers GET and HEAD with what is published at the path, compressed as the client accepts it, and refuses
 * other methods.
 *
 * @param publications by path
 */
export function docsPage(publications: Readonly<Record<string, Publication>>) {
  const tagged = new Map(
    Object.entries(publications).map(([path, publication]) => [
      path,
      { ...publication, etag: etagOf(publication.brotli) },
    ]),
  );
  return ({
    routeKey,
    pathParameters,
    headers: asked,
    requestContext,
  }: DocsPageRequest): APIGatewayProxyStructuredResultV2 => {
    if (routeKey === ELSEWHERE) {
      return nothingHere(requestContext.requestId);
    }
    const { method } = requestContext.http;
    const route = routeKey.split(' ')[1] ?? '';
    if (!METHODS.includes(method)) {
      return refused(
        'method-not-allowed',
        `Here you can only ${METHODS.join(' or ')}.`,
        requestContext.requestId,
        {
          allow: METHODS.join(', '),
        },
      );
    }
    const published = tagged.get(route.replace(ANY_FILE, pathParameters?.file ?? ''));
    if (published === undefined) {
      if (route.includes(ANY_FILE)) {
        return nothingHere(requestContext.requestId);
      }
      throw new Error(`nothing is published at the route ${routeKey}`);
    }
    const { brotli, etag } = published;
    const headers = {
      ...published.headers,
      'cache-control': 'public, max-age=300',
      etag,
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    };
    if (namesOne(asked['if-none-match'], etag)) {
      return { statusCode: 304, headers };
    }
    const encoding = encodingFor(asked['accept-encoding']);
    return {
      statusCode: 200,
      headers: encoding === undefined ? headers : { ...headers, 'content-encoding': encoding },
      ...(method === 'HEAD' ? {} : encoded(brotli, encoding)),
    };
  };
}

function nothingHere(request_id: string): APIGatewayProxyStructuredResultV2 {
  return refused(
    'not-found',
    'There is nothing at this path. The API is under /v1; its documentation is at /v1/docs.',
    request_id,
  );
}

function refused(
  kind: ProblemKind,
  detail: string,
  request_id: string,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyStructuredResultV2 {
  const body = problem(kind, detail);
  return {
    statusCode: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-request-id': request_id,
      ...headers,
    },
    body: JSON.stringify({ ...body, request_id }),
  };
}

/** Weak, because it is the same for the compressed and the plain form. */
function etagOf(content: Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

function namesOne(ifNoneMatch: string | undefined, etag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((one) => one.trim());
  return named.includes('*') || named.includes(etag) || named.includes(etag.slice('W/'.length));
}

type Encoding = 'br' | 'gzip';

/** Without TLS, browsers ask for gzip at best. */
function encodingFor(acceptEncoding = ''): Encoding | undefined {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(' ', '').split(';q='))
    .filter(([, quality = '1']) => Number(quality) > 0)
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}

function encoded(brotli: Uint8Array, encoding: Encoding | undefined) {
  if (encoding === 'br') return asBase64(brotli);
  const plain = brotliDecompressSync(brotli);
  return encoding === 'gzip' ? asBase64(gzipSync(plain, { level: 9 })) : { body: plain.toString('utf8') };
}

/** API Gateway decodes base64 and sends the bytes. */
function asBase64(bytes: Uint8Array) {
  return { isBase64Encoded: true, body: Buffer.from(bytes).toString('base64') };
}
