import * as z from 'zod';
import { type Answer, refusal, refusalOf } from '../core/api/answer.ts';
import { detailOf, type FieldError, fieldErrorsOf } from '../core/api/problem.ts';
import { reasonOf } from '../core/errors/error-reason.ts';
import { isNothing, jsonBody } from './json-body.ts';
import type { Operation, Reading } from './operation.ts';

interface Sent {
  readonly query: URLSearchParams;
  /** The raw text; empty when there is none. */
  readonly body: string;
  readonly contentEncoding?: string;
}

type Read = { readonly query: unknown; readonly body: unknown } | { readonly refused: Answer };

const NOTHING = z.strictObject({});

/** A request parsed by the schemas of its operation, or its refusal with an error for each field. */
export function readRequest(
  {
    query,
    body,
    bodyIsOptional = false,
    maxBodyBytes,
  }: Pick<Operation, 'query' | 'body' | 'bodyIsOptional' | 'maxBodyBytes'>,
  sent: Sent,
): Read {
  const readQuery = read(query ?? NOTHING, Object.fromEntries(sent.query), twice(sent.query));
  if ('fieldErrors' in readQuery) {
    return {
      refused: refusalOf(
        readQuery.fieldErrors,
        'malformed-request',
        detailOf(readQuery.fieldErrors, 'query parameter'),
      ),
    };
  }
  if (body === undefined) {
    return isNothing(sent.body)
      ? { query: readQuery.value, body: undefined }
      : { refused: refusal('malformed-request', 'This operation takes no body: leave it out.') };
  }
  const json =
    sent.body === '' && bodyIsOptional
      ? { value: {} }
      : jsonBody(sent.body, sent.contentEncoding, maxBodyBytes);
  if ('refused' in json) {
    return json;
  }
  const readBody = read(body, json.value);
  return 'fieldErrors' in readBody
    ? {
        refused: refusalOf(
          readBody.fieldErrors,
          'malformed-request',
          detailOf(readBody.fieldErrors, 'field'),
        ),
      }
    : { query: readQuery.value, body: readBody.value };
}

function read(
  schema: Reading<unknown>,
  value: unknown,
  known: readonly FieldError[] = [],
): { readonly value: unknown } | { readonly fieldErrors: readonly FieldError[] } {
  const parsed = z.safeParse(schema, value, { error: reasonOf });
  const fieldErrors = [...known, ...(parsed.success ? [] : fieldErrorsOf(parsed.error))];
  return parsed.success && known.length === 0 ? { value: parsed.data } : { fieldErrors };
}

/** Parameters given twice are errors, because nobody can tell which value is meant. */
function twice(query: URLSearchParams): FieldError[] {
  const names = [...query.keys()];
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((field) => ({
    field,
    reason: 'must be given once',
  }));
}
