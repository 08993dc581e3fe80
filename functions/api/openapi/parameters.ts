import type { Operation } from '../operation.ts';
import type { JsonSchema } from './json-schemas.ts';
import { PATH_PARAMETERS } from './path-parameters.ts';

/** Source: RFC 9110, section 8.8.3; without a comma, which separates them. */
const ENTITY_TAG = '(W/)?"[!#-+\\--~]*"';

/** @throws when a parameter of the path is not described */
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

/** One parameter for each member of the schema that reads the query; its description moves from the schema to the parameter. */
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

export function headerParameters({ method, isConditional }: Pick<Operation, 'method' | 'isConditional'>) {
  return [
    ...(method === 'POST'
      ? [
          {
            name: 'idempotency-key',
            in: 'header',
            required: false,
            description:
              'Made up by you, for example a UUID. Should you not know whether the request was heard, send it again with the same key: within a day it is carried out once, and the answer is the first one’s, without any secret.',
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
              'The `etag` of the subscription as you have seen it: the request is refused with 412 when its owner has changed it since. `*` matches always.',
            schema: {
              type: 'string',
              pattern: `^(\\*|${ENTITY_TAG}( *, *${ENTITY_TAG})*)$`,
              examples: ['*', '"3"'],
            },
          },
        ]
      : []),
  ];
}
