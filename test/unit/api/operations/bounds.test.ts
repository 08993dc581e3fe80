import * as z from 'zod';
import type { Operation } from '../../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { readRequest } from '../../../../functions/api/read-request.ts';
import type { Problem } from '../../../../functions/core/api/problem.ts';
import { bodyFor, named, queryFor } from './every-operation.ts';

interface Bounded {
  readonly anyOf?: readonly Bounded[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

/** For each bound of a schema: the bound, and a value just outside. */
function justOutside({ anyOf = [], ...declared }: Bounded): (readonly [bound: number, value: unknown])[] {
  const outside: Readonly<Record<string, (bound: number) => unknown>> = {
    minimum: (bound) => bound - 1,
    maximum: (bound) => bound + 1,
    maxLength: (bound) => 'x'.repeat(bound + 1),
    minItems: (bound) => Array(bound - 1).fill('card_payment_*'),
    maxItems: (bound) => Array(bound + 1).fill('card_payment_*'),
    maxProperties: (bound) =>
      Object.fromEntries(Array.from({ length: bound + 1 }, (_, index) => [`x-${index}`, 'v'])),
  };
  const own = Object.entries(declared).flatMap(([keyword, bound]) => {
    const value = outside[keyword];
    return value === undefined ? [] : [[bound as number, value(bound as number)] as const];
  });
  return [...own, ...anyOf.flatMap(justOutside)];
}

function declaredBounds(id: string, schema: z.core.$ZodType | undefined) {
  const { properties = {} } =
    schema === undefined
      ? {}
      : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
          properties?: Record<string, Bounded>;
        });
  return Object.entries(properties).flatMap(([name, member]) =>
    justOutside(member).map(([bound, value]) => [id, name, bound, value] as const),
  );
}

function problemOf(operation: Operation, over: { body?: object; query?: Record<string, string> }): Problem {
  const read = readRequest(operation, {
    query: new URLSearchParams({ ...queryFor(operation), ...over.query }),
    body:
      operation.body === undefined ? '' : JSON.stringify({ ...(bodyFor(operation) as object), ...over.body }),
  });
  return ('refused' in read ? read.refused.body : {}) as Problem;
}

const bodyBounds = OPERATIONS.flatMap(({ id, body }) => declaredBounds(id, body));

test('these fields of bodies have bounds', () => {
  expect([...new Set(bodyBounds.map(([, name]) => name))].sort()).toEqual([
    'callback_url',
    'contact',
    'custom_headers',
    'description',
    'event_types',
    'expires_after_seconds',
    'fields',
    'lasts_seconds',
    'limit',
    'notices_url',
    'overlap_seconds',
    'payment_ids',
    'rate_limit',
    'states',
    'subscriptions',
    'timeout_ms',
  ]);
});

const queryBounds = OPERATIONS.flatMap(({ id, query }) => declaredBounds(id, query));

test('these parameters of queries have bounds', () => {
  expect([...new Set(queryBounds.map(([, name]) => name))]).toEqual(['limit']);
});

test.each(queryBounds)('%s: if %s is beyond %d, the problem names the bounds', (id, name, bound, value) => {
  const { detail, errors } = problemOf(named(id), { query: { [name]: String(value) } });
  expect(detail).toMatch(new RegExp(`: ${name} must be a whole number from .*\\b${bound}\\b`));
  expect(errors).toHaveLength(1);
});

test.each(bodyBounds)('%s: if %s is beyond %d, the problem names the bound', (id, name, bound, value) => {
  const { title, detail, errors = [] } = problemOf(named(id), { body: { [name]: value } });
  expect(title).toBe('The request is not valid');
  expect(detail).toMatch(new RegExp(`: ${name} .*\\b${bound}\\b`));
  expect(errors.filter(({ field }) => field !== name)).toEqual([]);
});

test.each([
  ['createSubscription', { signing_secret: 'whsec_c2hvcnQ=' }, '24 to 64 bytes'],
  ['rotateSecret', { signing_secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, '24 to 64 bytes'],
  ['createSubscription', { contact: `${'a'.repeat(65)}@shop.example` }, 'at most 64 characters before the @'],
  ['createSubscription', { contact: 'a'.repeat(10_000) }, 'contact must be'],
  ['updateSubscription', { contact: `ops@${'a'.repeat(10_000)}.example` }, 'at most 254 characters'],
  ['updateSubscription', { contact: 'ops@shop.example\r\nBcc: all@shop.example' }, 'contact must be'],
  ['updateSubscription', { custom_headers: { ['x'.repeat(65)]: 'v' } }, 'at most 64 characters'],
  ['updateSubscription', { custom_headers: { 'x-a': 'v'.repeat(1_025) } }, '1 to 1024'],
  ['createSubscription', { rate_limit: 1e20 }, 'rate_limit must be at most 100.'],
])('%s: for %j the problem names the bound', (id, body, words) => {
  expect(problemOf(named(id), { body }).detail).toContain(words);
});

test.each([
  ['listMessages', { limit: '101' }, 'from 1 to 100'],
  ['listMessages', { payment_id: 'p'.repeat(65) }, '1 to 64'],
  ['listMessagesOfPayment', { payment_id: '' }, '1 to 64'],
  ['listMessagesOfPayment', { since: '10000-01-01T00:00:00Z' }, 'an instant such as'],
  ['listChanges', { limit: '0' }, 'from 1 to 100'],
  ['listChanges', { subscription_id: `sub_${'a'.repeat(65)}` }, '1 to 64'],
])('%s: for the query %j the problem names the bound', (id, query, words) => {
  expect(problemOf(named(id), { query }).detail).toContain(words);
});
