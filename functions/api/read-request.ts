import * as z from 'zod';
import { detailOf, type FieldFault, faultsOf } from '../core/api/problem.ts';
import { reasonOf } from '../core/errors/error-reason.ts';
import { type Answer, refusal, refusalOf } from './answer.ts';
import { isNothing, jsonBody } from './json-body.ts';
import type { Operation, Reading } from './operation.ts';

interface Sent {
  readonly query: URLSearchParams;
  /** The text as it came; empty when there was none. */
  readonly body: string;
}

type Read = { readonly query: unknown; readonly body: unknown } | { readonly refused: Answer };

const NOTHING = z.strictObject({});

/** What a request says, as the schemas of its operation read it, or why it is refused: each fault with its field. */
export function readRequest(
  { query, body, bodyIsOptional = false }: Pick<Operation, 'query' | 'body' | 'bodyIsOptional'>,
  sent: Sent,
): Read {
  const readQuery = read(query ?? NOTHING, Object.fromEntries(sent.query), twice(sent.query));
  if ('faults' in readQuery) {
    return {
      refused: refusalOf(
        readQuery.faults,
        'malformed-request',
        detailOf(readQuery.faults, 'query parameter'),
      ),
    };
  }
  if (body === undefined) {
    return isNothing(sent.body)
      ? { query: readQuery.value, body: undefined }
      : { refused: refusal('malformed-request', 'This operation takes no body: leave it out.') };
  }
  const json = sent.body === '' && bodyIsOptional ? { value: {} } : jsonBody(sent.body);
  if ('refused' in json) {
    return json;
  }
  const readBody = read(body, json.value);
  return 'faults' in readBody
    ? { refused: refusalOf(readBody.faults, 'malformed-request', detailOf(readBody.faults, 'field')) }
    : { query: readQuery.value, body: readBody.value };
}

function read(
  schema: Reading<unknown>,
  value: unknown,
  known: readonly FieldFault[] = [],
): { readonly value: unknown } | { readonly faults: readonly FieldFault[] } {
  const parsed = z.safeParse(schema, value, { error: reasonOf });
  const faults = [...known, ...(parsed.success ? [] : faultsOf(parsed.error))];
  return parsed.success && known.length === 0 ? { value: parsed.data } : { faults };
}

/** Which of two values is meant, nobody can tell. */
function twice(query: URLSearchParams): FieldFault[] {
  const names = [...query.keys()];
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((field) => ({
    field,
    reason: 'must be given once',
  }));
}
