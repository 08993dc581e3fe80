import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DESCRIBED as OPERATIONS } from '../../../../functions/api/openapi/described.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { webhookBodySchema } from '../../../../functions/api/openapi/webhook.ts';
import { webhookBody } from '../../../../functions/core/message/message.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

const document = openApiDocument(GOV_UK_PAY.types);
const text = JSON.stringify(document);

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly links?: Readonly<Record<string, { readonly parameters: Readonly<Record<string, string>> }>>;
}

const components: Readonly<Record<string, Readonly<Record<string, unknown>>>> = document.components;

function resolved(response: Response | { readonly $ref: string } | undefined): Response {
  const [, part = '', name = ''] =
    /^#\/components\/(\w+)\/([\w.-]+)$/.exec(response && '$ref' in response ? response.$ref : '') ?? [];
  return (components[part]?.[name] ?? response ?? {}) as Response;
}

function described(id: string): Described {
  const all = Object.values(document.paths).flatMap(
    (operations) => Object.values(operations) as unknown as Described[],
  );
  const found = all.find(({ operationId }) => operationId === id);
  if (found === undefined) {
    throw new Error(`${id} is not in the document`);
  }
  return found;
}

test('the committed document is up to date', async () => {
  const committed = await readFile(path.join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8');
  // Should this fail: npm run ops -- schema
  expect(JSON.parse(committed)).toEqual(JSON.parse(text));
});

test('every reference in the document resolves', () => {
  const references = [...text.matchAll(/"\$ref":"#\/components\/([^/]+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  for (const [, part = '', name] of references) {
    expect(Object.keys(components[part] ?? {})).toContain(name);
  }
});

test('each operation appears once, under a unique id', () => {
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  for (const { id } of OPERATIONS) {
    expect(described(id).operationId).toBe(id);
  }
});

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s documents its parameters, responses and problems',
  (id, { method, path: route, scope, isOfStage = false, isConditional = false, isIdempotent = false }) => {
    const { parameters, responses } = described(id);
    const isOpen = scope === 'none';
    const scopes = scope === 'manage' ? ['read', 'write'] : [scope];
    const security = isOfStage ? { stage: [] } : { token: scopes };
    expect(described(id)).toMatchObject({ security: isOpen ? [] : [security] });
    const refusals = isOpen ? ['400', '500'] : ['400', '401', '403', '429', '500'];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(refusals));
    expect('404' in responses).toBe(route.includes(':') || '404' in responses);
    expect(parameters.some(({ name }) => name === 'idempotency-key')).toBe(
      method === 'POST' && !isOpen && !isOfStage && !isIdempotent,
    );
    expect(parameters.some(({ name }) => name === 'if-match')).toBe(isConditional);
    expect('412' in responses).toBe(isConditional);
    for (const status of Object.keys(responses).filter((code) => Number(code) >= 400)) {
      const { content } = resolved(responses[status]);
      expect({ status, content: Object.keys(content ?? {}) }).toEqual({
        status,
        content: ['application/problem+json'],
      });
    }
  },
);

test('a new resource links to the operations on it', () => {
  const links = (id: string, status: string) =>
    Object.fromEntries(
      Object.entries(resolved(described(id).responses[status]).links ?? {}).map(([to, { parameters }]) => [
        to,
        parameters,
      ]),
    );
  expect(links('createSubscription', '201')).toMatchObject({
    showSubscription: { subscription_id: '$response.body#/subscription_id' },
    listMessages: { subscription_id: '$response.body#/subscription_id' },
  });
  const started = {
    subscription_id: '$request.path.subscription_id',
    recovery_id: '$response.body#/recovery_id',
  };
  expect(links('startRecovery', '202')).toEqual({ showRecovery: started, stopRecovery: started });
  expect(links('resendMessage', '202')).toEqual({});
});

test('every field that a partner sends or reads has a type', () => {
  const untyped: string[] = [];
  const walk = (schema: unknown, at: string) => {
    for (const [name, member] of Object.entries(
      (schema as { properties?: Record<string, object> })?.properties ?? {},
    )) {
      const here = `${at}.${name}`;
      const isTyped = ['type', '$ref', 'anyOf', 'oneOf', 'const', 'enum', 'allOf', 'not'].some(
        (key) => key in member,
      );
      untyped.push(...(isTyped ? [] : [here]));
      walk(member, here);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    walk(schema, name);
  }
  for (const { id } of OPERATIONS) {
    walk(described(id).requestBody?.content['application/json']?.schema, id);
  }
  expect(untyped).toEqual([]);
});

test('the body of a webhook matches the document', () => {
  const body = webhookBody(
    {
      message_id: 'msg_1',
      occurred_at: '2026-11-14T10:00:00Z',
      resource_id: 'pay_1',
      resource_type: 'payment',
      event_type: 'card_payment_captured',
    },
    '{"amount":100}',
  );
  expect(webhookBodySchema.strict().parse(JSON.parse(body))).toEqual(JSON.parse(body));
});

test('a schema of an own type keeps referring to its own parts', () => {
  const line = { type: 'object', properties: { of: { $ref: '#' } }, examples: [{ $ref: '#/left' }] };
  const schema = {
    $id: 'https://own.example/',
    properties: { $ref: { $ref: '#/$defs/line' } },
    $defs: { line },
  };
  const { components, webhooks } = openApiDocument([{ name: 'invoice.paid', description: 'Paid.', schema }]);
  const at = '#/components/schemas/Resource.invoice.paid';
  expect(components.schemas).toHaveProperty(['Resource.invoice.paid'], {
    properties: { $ref: { $ref: `${at}/$defs/line` } },
    $defs: { line: { ...line, properties: { of: { $ref: at } } } },
  });
  expect(JSON.stringify(webhooks)).toContain(`"resource":{"$ref":"${at}"}`);
});
