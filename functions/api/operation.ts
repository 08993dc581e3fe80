import type * as z from 'zod';
import type { Scope } from '../core/api/api-token.ts';
import type { ProblemKind } from '../core/api/problem.ts';
import type { Answer } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';

/** A schema that reads what a partner sends. */
export type Reading<Value> = z.core.$ZodType<Value>;

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What an operation answers with a status, for those who read about it. */
export interface Answered {
  readonly description: string;
  /** Of the JSON body; absent: there is none. */
  readonly schema?: z.core.$ZodType;
  /** Names in lower case, each with a sentence. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One thing that partners can do: what it takes, what it answers and how it is done. The HTTP API is dispatched by it, requests are read by its
 * schemas, and the OpenAPI document is made of it.
 */
export interface Operation<Query = unknown, Body = unknown> {
  /** A verb and what it is done to: the `operationId` of the OpenAPI document and the name in the audit trail. */
  readonly id: string;
  readonly method: Method;
  /** Parameters as `:name`; each is an id, described in `path-parameters.ts`. */
  readonly path: `/v1/${string}`;
  /** What the token must be allowed. */
  readonly scope: Scope;
  readonly tag: 'Subscriptions' | 'Signing secrets' | 'Messages' | 'Recoveries' | 'Account';
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  /** Of query parameters, each a text. @default - none is taken */
  readonly query?: Reading<Query>;
  /** Of the JSON body. @default - none is taken, and an empty object does no harm */
  readonly body?: Reading<Body>;
  /** Whether the body may be left out, which then reads as `{}`. @default false */
  readonly bodyIsOptional?: boolean;
  /** Whether `If-Match` has a say. @default false */
  readonly isConditional?: boolean;
  readonly answers: Readonly<Record<number, Answered>>;
  /** Beyond those that follow from the rest: see `problems-of.ts`. */
  readonly problems?: readonly ProblemKind[];
  run(request: ApiRequest<Query, Body>, ports: ApiPorts): Promise<Answer>;
}

/** Declares an operation; its request has the types that its schemas read. */
export function operation<Query = Readonly<Record<never, never>>, Body = undefined>(
  declared: Operation<Query, Body>,
): Operation {
  // The dispatcher reads a request by the very schemas that gave these types.
  return declared as unknown as Operation;
}
