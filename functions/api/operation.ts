import type * as z from 'zod';
import type { Answer } from '../core/api/answer.ts';
import type { ProblemKind } from '../core/api/problem.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import type { NeededScope } from './caller.ts';

/** A schema that parses what a partner sends. */
export type Reading<Value> = z.core.$ZodType<Value>;

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** Documents the response of an operation with one status. */
interface Answered {
  readonly description: string;
  /** Of the JSON body; absent: no body. */
  readonly schema?: z.core.$ZodType;
  /** Descriptions by name, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation of the HTTP API: what it takes, what it answers and how it runs. The router dispatches by it,
 * its schemas parse requests, and the OpenAPI document is generated from it and `describeOperation`.
 */
export interface Operation<Query = unknown, Body = unknown, Ports = ApiPorts> {
  /** A verb and its object: the `operationId` in the OpenAPI document and the name in the audit trail. */
  readonly id: string;
  readonly method: Method;
  /** Parameters as `:name`; each is an id, described in `path-parameters.ts`. */
  readonly path: `/v1/${string}`;
  readonly scope: NeededScope;
  readonly tag:
    | 'Subscriptions'
    | 'Signing secrets'
    | 'Event types'
    | 'Messages'
    | 'Feed'
    | 'Recoveries'
    | 'Account'
    | 'Portal sessions'
    | 'Operators';
  readonly summary: string;
  /** Parses the query parameters, each a string. @default - no parameters */
  readonly query?: Reading<Query>;
  /** Parses the JSON body. @default - no body; an empty object is accepted */
  readonly body?: Reading<Body>;
  /** Whether the body may be left out; it is then parsed as `{}`. @default false */
  readonly bodyIsOptional?: boolean;
  /** In bytes of UTF-8. @default - see `json-body.ts` */
  readonly maxBodyBytes?: number;
  /** Whether `If-Match` is supported. @default false */
  readonly isConditional?: boolean;
  /** Whether it is for sessions of the whole stage alone. @default false */
  readonly isOfStage?: boolean;
  /** Whether its own rules make a repeat harmless: it takes no `Idempotency-Key`. @default false */
  readonly isIdempotent?: boolean;
  /** Besides those that follow from the other fields: see `problems-of.ts`. */
  readonly problems?: readonly ProblemKind[];
  /**
   * Why a well-formed body is refused all the same, by what is known without a look: before an idempotency key is
   * used up. @default - never
   */
  refusalOf?(body: Body, ports: Pick<ApiPorts, 'catalogue'>): Answer | undefined;
  run(request: ApiRequest<Query, Body>, ports: Ports): Promise<Answer>;
}

/** What an operation takes and answers, whoever runs it. */
export type Described = Omit<Operation, 'run' | 'refusalOf'>;

/** Whether a request may be repeated with an idempotency key: keys belong to a service. */
export function isRepeatable({
  method,
  scope,
  isOfStage,
  isIdempotent,
}: Pick<Described, 'method' | 'scope' | 'isOfStage' | 'isIdempotent'>): boolean {
  return method === 'POST' && scope !== 'none' && !isOfStage && !isIdempotent;
}

/** Declares an operation; the types of its request follow from its schemas. */
export function operation<Query = Readonly<Record<never, never>>, Body = undefined>(
  declared: Operation<Query, Body>,
): Operation {
  // Safe: `perform` parses each request with the same schemas that these types come from.
  return declared as unknown as Operation;
}

/** By status. */
type Answers = Readonly<Record<number, Answered>>;

interface Description {
  readonly description: string | (() => string);
  readonly answers: () => Answers;
}

const descriptions = new Map<string, Description>();

/**
 * Describes an operation in the OpenAPI document. Called as `@__PURE__`, so that no bundle has the texts, nor
 * the schemas of answers, which nothing parses at run time.
 *
 * @param description Markdown; a function where it is put together, which a bundle would keep otherwise
 */
export function describeOperation(
  { id }: Pick<Described, 'id'>,
  description: Description['description'],
  answers: Description['answers'],
): void {
  descriptions.set(id, { description, answers });
}

/** @throws if nobody has described it */
export function descriptionOf({ id }: Pick<Described, 'id'>): {
  readonly description: string;
  readonly answers: Answers;
} {
  const described = descriptions.get(id);
  if (described === undefined) {
    throw new Error(`the operation ${id} is not described: see describeOperation`);
  }
  const { description, answers } = described;
  return { description: typeof description === 'string' ? description : description(), answers: answers() };
}
