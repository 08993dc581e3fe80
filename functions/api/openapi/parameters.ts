import { TYPE_NAME } from '../../core/catalogue/event-type.ts';
import { type Described, isRepeatable } from '../operation.ts';
import type { JsonSchema } from './json-schemas.ts';

/** The parameters that occur in paths of operations. */
const PATH_PARAMETERS: Readonly<Record<string, { readonly pattern: string; readonly description: string }>> =
  {
    subscription_id: {
      pattern: '^sub_[A-Za-z0-9_-]{1,64}$',
      description: 'The id of a subscription of your service.',
    },
    message_id: {
      pattern: '^msg_[A-Za-z0-9_-]{1,64}$',
      description: 'The id of a message: the `webhook-id` header of each of its attempts.',
    },
    payment_id: {
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'The id of a payment, as its webhooks carry it.',
    },
    event_type: {
      pattern: TYPE_NAME.source,
      description: 'The name of an event type.',
    },
    session_id: {
      pattern: '^ses_[A-Za-z0-9_-]{22}$',
      description: 'The id of a portal session of your service.',
    },
    recovery_id: {
      pattern: '^rec_[A-Za-z0-9_-]{1,64}$',
      description: 'The id of a recovery of the subscription.',
    },
    secret_id: {
      pattern: '^sec_[A-Za-z0-9_-]{1,64}$',
      description: 'The id of a signing secret of the subscription.',
    },
  };

/** Source: RFC 9110, section 8.8.3. Without commas, because a comma separates tags. */
const ENTITY_TAG = '(W/)?"[!#-+\\--~]*"';

/** @throws when `path-parameters.ts` does not describe a parameter of the path */
export function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const parameter = PATH_PARAMETERS[name];
    if (parameter === undefined) {
      throw new Error(`${path}: describe ${name} in path-parameters.ts`);
    }
    const { pattern, description } = parameter;
    return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
  });
}

/** One parameter for each property of the query schema, with its description. */
export function queryParameters(schema: JsonSchema | undefined) {
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema?.required ?? []) as readonly string[];
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

export function headerParameters(operation: Described) {
  const { isConditional } = operation;
  return [
    ...(isRepeatable(operation)
      ? [
          {
            name: 'idempotency-key',
            in: 'header',
            required: false,
            description:
              'A value that you choose, for example a UUID. If you do not know whether a request succeeded, send it again with the same key: within a day it is carried out only once. A repeat gets the response to the first request, without any secret.',
            schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
          },
        ]
      : []),
    ...(isConditional
      ? [
          {
            name: 'if-match',
            in: 'header',
            required: false,
            description:
              'The `etag` of the subscription as you last read it. If its settings have changed since, the request fails with 412. `*` always matches. A tag that a proxy has made weak, or added its coding to (`W/"3"`, `"3-gzip"`), matches like the original.',
            schema: {
              type: 'string',
              pattern: `^(\\*|${ENTITY_TAG}( *, *${ENTITY_TAG})*)$`,
              examples: ['*', '"3"', 'W/"3"'],
            },
          },
        ]
      : []),
  ];
}
