import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Answered } from './world.ts';

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
}

const FILE = path.join(import.meta.dirname, '../../../docs/openapi.json');
// Where the schema reader looks for what is referred to.
const document = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('#/components/schemas/', '#/$defs/'));

/** The responses of each operation, by `operationId` and status. */
export const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, Response>>>> = Object.fromEntries(
  Object.values<Record<string, { operationId?: string; responses: Record<string, { $ref?: string }> }>>(
    document.paths,
  )
    .flatMap((operations) => Object.values(operations))
    .filter(({ operationId }) => operationId !== undefined)
    .map(({ operationId, responses }) => [
      operationId,
      Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          response.$ref === undefined
            ? response
            : document.components.responses[response.$ref.split('/').at(-1) ?? ''],
        ]),
      ),
    ]),
);

const schemas = new Map<object, z.core.$ZodType>();

function schemaOf(schema: object): z.core.$ZodType {
  const known = schemas.get(schema) ?? z.fromJSONSchema({ ...schema, $defs: document.components.schemas });
  schemas.set(schema, known);
  return known;
}

/** How an answer differs from what the OpenAPI document says of the operation. */
export function undocumented(operationId: string, { status, headers, body }: Answered): string[] {
  const response = DOCUMENTED[operationId]?.[status];
  if (response === undefined) {
    return [`${operationId} documents no status ${status}`];
  }
  const [[type, content] = []] = Object.entries(response.content ?? {});
  if (content === undefined) {
    return body === undefined ? [] : ['there is a body, and none is documented'];
  }
  const parsed = z.safeParse(schemaOf(content.schema), body);
  const kind = String(body?.type).replace('urn:payhooks:problem:', '');
  return [
    ...(headers['content-type'] === type ? [] : [`content-type is ${headers['content-type']}, not ${type}`]),
    ...(parsed.success ? [] : [`the body is not as documented: ${parsed.error.message}`]),
    ...(status < 400 || kind in (content.examples ?? {}) ? [] : [`${kind} is not documented`]),
    ...(status < 400 || body.status === status ? [] : ['the problem has another status']),
    ...(headers['x-request-id'] === undefined ? ['x-request-id is missing'] : []),
    ...(status < 300 && 'etag' in (response.headers ?? {}) && headers.etag === undefined
      ? ['etag is missing']
      : []),
  ];
}
