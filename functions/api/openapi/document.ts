import type * as z from 'zod';
import { SCOPES } from '../../core/api/api-token.ts';
import { portalSessionViewSchema } from '../../core/api/portal/portal-session-view.ts';
import { attemptSchema } from '../../core/attempt/attempt.ts';
import type { EventType } from '../../core/catalogue/event-type.ts';
import { messageSummarySchema, messageViewSchema } from '../../core/message/message-view.ts';
import { recoveryViewSchema } from '../../core/message/recovery-view.ts';
import { subscriptionViewSchema } from '../../core/subscription/subscription-view.ts';
import { type Described, descriptionOf, isRepeatable } from '../operation.ts';
import { pingSubscription } from '../operations/subscriptions/ping-subscription.ts';
import { SERVICE_HEADER } from '../sent.ts';
import { DESCRIBED } from './described.ts';
import { DESCRIPTION } from './description.ts';
import { ANSWER_EXAMPLES, BODY_EXAMPLES } from './examples/examples.ts';
import { toldWith } from './examples/told-with.ts';
import { type JsonSchema, jsonSchemas } from './json-schemas.ts';
import { linksOf } from './links.ts';
import { headerParameters, pathParameters, queryParameters } from './parameters.ts';
import { headersOf, problemSchema, REQUEST_ID, refusals, refused } from './refusals.ts';
import {
  resourceSchemasOf,
  WEBHOOK_ANSWERS,
  WEBHOOK_HEADERS,
  webhookBodySchema,
  webhooksOf,
} from './webhook.ts';

/** Schemas that occur in more than one response, or deserve a name. */
const COMPONENTS = {
  Subscription: subscriptionViewSchema,
  MessageSummary: messageSummarySchema,
  Message: messageViewSchema,
  Attempt: attemptSchema,
  Recovery: recoveryViewSchema,
  PortalSession: portalSessionViewSchema,
  Problem: problemSchema,
  Webhook: webhookBodySchema,
};

/** Statuses of responses that announce something new: created or accepted. */
const CREATING_STATUSES: readonly string[] = ['201', '202'];

/**
 * The OpenAPI 3.1 document, generated from the operations, the schemas that parse requests, and the event types
 * of a catalogue.
 */
export function openApiDocument(types: readonly EventType[]) {
  const told = toldWith(types);
  const sent = withTypes(jsonSchemas(schemasSent(), {}, 'input'), types);
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
    // Relative to the URL of this document, so it is right on every stage.
    servers: [{ url: '..', description: 'The server of this document' }],
    security: [{ token: [] }],
    tags: [...new Set(DESCRIBED.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...Map.groupBy(DESCRIBED, ({ path }) => path)].map(([path, operations]) => [
        path.replace(/:(\w+)/g, '{$1}'),
        {
          parameters: pathParameters(path),
          ...Object.fromEntries(
            operations.map((operation) => [
              operation.method.toLowerCase(),
              described(operation, sent, answered, told),
            ]),
          ),
        },
      ]),
    ),
    webhooks: webhooksOf(types),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token of your service: `phk_` and 43 characters, with the scope `read`, `write` or both. Or the token of a portal session: `phs_` and 65 characters.',
        },
        stage: {
          type: 'http',
          scheme: 'bearer',
          description: `The token of a session of the whole stage, for the people who run it: \`phs_stage_\` and 65 characters. It also reads what is a service's, named in the header \`${SERVICE_HEADER}\`: without bodies, answers, secrets and contacts.`,
        },
      },
      parameters: WEBHOOK_HEADERS,
      responses: { ...refusals(DESCRIBED), ...WEBHOOK_ANSWERS },
      schemas: {
        ...Object.fromEntries(Object.keys(COMPONENTS).map((name) => [name, answered[name]])),
        ...resourceSchemasOf(types),
      },
    },
  };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Which event types there are is a matter of the catalogue: the schemas that parse requests do not know. */
function withTypes(sent: Schemas, types: readonly EventType[]): Schemas {
  const id = `${pingSubscription.id}.body`;
  const { properties, ...schema } = sent[id] as { readonly properties: Schemas };
  const { sample_of, ...others } = properties;
  const names = { ...sample_of, enum: types.map(({ name }) => name) };
  return { ...sent, [id]: { ...schema, properties: { ...others, sample_of: names } } as JsonSchema };
}

/** Examples as this catalogue has them. */
type Told = ReturnType<typeof toldWith>;

function described(operation: Described, sent: Schemas, answered: Schemas, told: Told) {
  const { id, tag, scope, summary, body, bodyIsOptional = false, isOfStage = false } = operation;
  const { description } = descriptionOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security:
      scope === 'none'
        ? []
        : isOfStage
          ? [{ stage: [] }]
          : [{ token: scope === 'manage' ? SCOPES : [scope] }],
    parameters: [...queryParameters(sent[`${id}.query`]), ...headerParameters(operation)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !bodyIsOptional,
            content: json(sent[`${id}.body`], told(BODY_EXAMPLES[id])),
          },
        }),
    responses: { ...fulfilled(operation, answered, told), ...refused(operation) },
  };
}

function fulfilled(operation: Described, answered: Schemas, told: Told) {
  const { id } = operation;
  const { answers } = descriptionOf(operation);
  const repeat: Record<string, string> = isRepeatable(operation)
    ? { 'idempotent-replayed': '`true` if this is the stored response to an earlier request.' }
    : {};
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, headers = {} }]) => [
      status,
      {
        description,
        headers: headersOf({ ...REQUEST_ID, ...headers, ...repeat }),
        ...(schema === undefined
          ? {}
          : { content: json(answered[`${id}.${status}`], told(ANSWER_EXAMPLES[`${id}.${status}`])) }),
        ...linksAfter(operation, status, answered),
      },
    ]),
  );
}

function json(schema: JsonSchema | undefined, example: unknown) {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** Links from a new resource to the operations on it. */
function linksAfter(operation: Described, status: string, answered: Schemas) {
  const body = resolved(answered[`${operation.id}.${status}`], answered);
  const links = CREATING_STATUSES.includes(status) ? linksOf(operation, body, DESCRIBED) : {};
  return Object.keys(links).length === 0 ? {} : { links };
}

/** The component that a schema refers to, or the schema itself. */
function resolved(schema: JsonSchema | undefined, components: Schemas): JsonSchema | undefined {
  return typeof schema?.$ref === 'string' ? components[schema.$ref.split('/').at(-1) ?? ''] : schema;
}

function schemasSent(): Record<string, z.core.$ZodType> {
  return Object.fromEntries(
    DESCRIBED.flatMap(({ id, query, body }) => [
      ...(query === undefined ? [] : [[`${id}.query`, query] as const]),
      ...(body === undefined ? [] : [[`${id}.body`, body] as const]),
    ]),
  );
}

function schemasAnswered(): Record<string, z.core.$ZodType> {
  return Object.fromEntries(
    DESCRIBED.flatMap(({ id }) =>
      Object.entries(descriptionOf({ id }).answers).flatMap(([status, { schema }]) =>
        schema === undefined ? [] : [[`${id}.${status}`, schema] as const],
      ),
    ),
  );
}
