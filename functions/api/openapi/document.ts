import type * as z from 'zod';
import { attemptSchema } from '../../core/attempt.ts';
import { messageSummarySchema, messageViewSchema } from '../../core/message-view.ts';
import { KINDS, type ProblemKind } from '../../core/problem.ts';
import { recoveryViewSchema } from '../../core/recovery-view.ts';
import { subscriptionViewSchema } from '../../core/subscription-view.ts';
import type { Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { DESCRIPTION } from './description.ts';
import { type JsonSchema, jsonSchemas } from './json-schemas.ts';
import { headerParameters, pathParameters, queryParameters } from './parameters.ts';
import { problemSchema } from './problem-schema.ts';
import { problemsOf } from './problems-of.ts';
import { WEBHOOK, webhookBodySchema } from './webhook.ts';

/** What occurs in more than one answer, or is worth a name. */
const COMPONENTS = {
  Subscription: subscriptionViewSchema,
  MessageSummary: messageSummarySchema,
  Message: messageViewSchema,
  Attempt: attemptSchema,
  Recovery: recoveryViewSchema,
  Problem: problemSchema,
  Webhook: webhookBodySchema,
};

/** Of an answer that says no, and of every one. */
const REQUEST_ID = { 'x-request-id': 'Quote it when you ask for help.' };
const HEADERS_OF_PROBLEM: Readonly<Partial<Record<number, Readonly<Record<string, string>>>>> = {
  401: { 'www-authenticate': 'What kind of token is missing.' },
  403: { 'www-authenticate': 'Which scope is missing.' },
  429: { 'retry-after': 'Seconds until requests of this token are taken again.' },
  503: { 'retry-after': 'Seconds after which to try again.' },
};

/** The OpenAPI 3.1 document of the HTTP API, made of the operations and of the schemas that read their requests. */
export function openApiDocument() {
  const sent = jsonSchemas(schemasSent(), {}, 'input');
  const answered = jsonSchemas(schemasAnswered(), COMPONENTS, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payhooks',
      version: '1',
      summary: 'Ordered, signed, observable webhooks for payment events',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to where this document lies, whatever the stage.
    servers: [{ url: '..', description: 'Where this document comes from' }],
    security: [{ token: [] }],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...Map.groupBy(OPERATIONS, ({ path }) => path)].map(([path, operations]) => [
        path.replace(/:(\w+)/g, '{$1}'),
        {
          parameters: pathParameters(path),
          ...Object.fromEntries(
            operations.map((operation) => [
              operation.method.toLowerCase(),
              described(operation, sent, answered),
            ]),
          ),
        },
      ]),
    ),
    webhooks: { paymentEvent: WEBHOOK },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token of your service, `phk_` and 43 characters, with the scope `read` or `write`.',
        },
      },
      schemas: Object.fromEntries(Object.keys(COMPONENTS).map((name) => [name, answered[name]])),
    },
  };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function described(operation: Operation, sent: Schemas, answered: Schemas) {
  const { id, tag, scope, summary, description, body, bodyIsOptional = false } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ token: [scope] }],
    parameters: [...queryParameters(sent[`${id}.query`]), ...headerParameters(operation)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !bodyIsOptional,
            content: { 'application/json': { schema: sent[`${id}.body`] } },
          },
        }),
    responses: { ...fulfilled(operation, answered), ...refused(problemsOf(operation)) },
  };
}

function fulfilled({ id, method, answers }: Operation, answered: Schemas) {
  const repeat: Record<string, string> =
    method === 'POST' ? { 'idempotent-replayed': '`true` when the request was a repeated one.' } : {};
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, headers = {} }]) => [
      status,
      {
        description,
        headers: headersOf({ ...REQUEST_ID, ...headers, ...repeat }),
        ...(schema === undefined
          ? {}
          : { content: { 'application/json': { schema: answered[`${id}.${status}`] } } }),
      },
    ]),
  );
}

function refused(kinds: readonly ProblemKind[]) {
  const byStatus = Map.groupBy(kinds, (kind) => KINDS[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some
          .map((kind) => `\`urn:payhooks:problem:${kind}\`: ${KINDS[kind].title}.`)
          .join('\n\n'),
        headers: headersOf({ ...REQUEST_ID, ...HEADERS_OF_PROBLEM[status] }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

function schemasSent(): Record<string, z.core.$ZodType> {
  return Object.fromEntries(
    OPERATIONS.flatMap(({ id, query, body }) => [
      ...(query === undefined ? [] : [[`${id}.query`, query] as const]),
      ...(body === undefined ? [] : [[`${id}.body`, body] as const]),
    ]),
  );
}

function schemasAnswered(): Record<string, z.core.$ZodType> {
  return Object.fromEntries(
    OPERATIONS.flatMap(({ id, answers }) =>
      Object.entries(answers).flatMap(([status, { schema }]) =>
        schema === undefined ? [] : [[`${id}.${status}`, schema] as const],
      ),
    ),
  );
}
