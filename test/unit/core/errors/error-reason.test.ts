import * as z from 'zod';
import * as mini from 'zod/mini';
import { explanationOf, reasonOf } from '../../../../functions/core/errors/error-reason.ts';
import { isolateFailures } from '../../../../functions/core/errors/isolate-failures.ts';

function reasonFor(schema: z.core.$ZodType, value: unknown): string {
  const { error } = z.safeParse(z.object({ it: schema }), { it: value }, { error: reasonOf });
  return error?.issues[0]?.message ?? 'nothing is wrong';
}

test.each<[z.core.$ZodType, unknown, string]>([
  [z.string(), undefined, 'is missing'],
  [z.enum(['a', 'b']), undefined, 'is missing'],
  [z.string(), null, 'must be a string, not null'],
  [z.string(), 1, 'must be a string, not a number'],
  [z.boolean(), 'yes', 'must be true or false, not a string'],
  [z.int(), '1', 'must be a number, not a string'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.number(), true, 'must be a number, not true or false'],
  [z.array(z.string()), 'a', 'must be a list, not a string'],
  [z.object({}), [], 'must be an object, not a list'],
  [z.record(z.string(), z.string()), [], 'must be an object, not a list'],
  [z.literal(1), 2, 'must be 1'],
  [z.enum(['standard', 'govuk']), 'daily', 'must be one of standard, govuk'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(3), 'four', 'must have at most 3 characters'],
  [z.string().length(3), 'four', 'must have exactly 3 characters'],
  [z.array(z.string()).min(2), ['a'], 'must have at least 2 entries'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.int().max(9), 10, 'must be at most 9'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.number().multipleOf(5), 6, 'must be a multiple of 5'],
  [z.iso.datetime(), 'yesterday', 'must be an instant such as 2026-11-14T10:00:00Z'],
  [
    z.iso.datetime({ offset: true }),
    '2026-11-14T10:00:00 01:00',
    'must be an instant such as 2026-11-14T10:00:00Z; in a URL, its + is written %2B',
  ],
  [z.url(), 'here', 'must be a URL'],
  [z.email(), 'nobody', 'must be an email address in ASCII, such as ops@example.com'],
  [z.string().regex(/^a+$/), 'b', 'must match /^a+$/'],
  [z.string().startsWith('whsec_'), 'b', 'must begin with whsec_'],
  [z.string().endsWith('z'), 'b', 'must end with z'],
  [z.string().includes('z'), 'b', 'must contain z'],
  [z.union([z.string(), z.number()]), true, 'must be a string or a number, not true or false'],
  [z.nullable(z.string()), 1, 'must be a string, not a number'],
  [z.union([z.string().min(2), z.number()]), 'a', 'must have at least 2 characters'],
  [z.string().refine((text) => text === 'a'), 'b', 'is not allowed'],
  [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }, 'must be one of a'],
  [mini.string().check(mini.maxLength(1)), 'ab', 'must have at most 1 character'],
])('%#: an error is in our own words', (schema, value, reason) => {
  expect(reasonFor(schema, value)).toBe(reason);
});

test('a message in the schema takes precedence', () => {
  expect(reasonFor(z.string('must be your name'), 1)).toBe('must be your name');
  expect(reasonFor(z.string().regex(/^a$/, 'must be an a'), 'b')).toBe('must be an a');
});

test('an explanation has a sentence for each field, and names the whole', () => {
  const schema = z.object({ id: z.string(), at: z.object({ hour: z.int() }) });
  const explain = (value: unknown) =>
    explanationOf(schema.safeParse(value, { error: reasonOf }).error!, 'record');

  expect(explain({ id: 1, at: {} })).toBe('id: must be a string, not a number; at.hour: is missing');
  expect(explain([])).toBe('record: must be an object, not a list');
  expect(explain(undefined)).toBe('record: is missing, or is not JSON');
});

test('all items go into one call', async () => {
  const calls: string[] = [];
  const acted = await isolateFailures(['a', 'b'], async (some) => calls.push(some.join(' ')));
  expect(calls).toEqual(['a b']);
  expect(acted.failed.size).toBe(0);
});

test('a failure stays with the item that causes it', async () => {
  const internalError = new Error('not b');
  const { answers, failed } = await isolateFailures(['a', 'b', 'c'], async (some) => {
    if (some.includes('b')) throw internalError;
    return some.join(' ');
  });
  expect(answers).toEqual(['a', 'c']);
  expect([...failed]).toEqual([['b', internalError]]);
});

test('no items cause no call', async () => {
  expect(await isolateFailures([], () => Promise.reject(new Error('called')))).toEqual({
    answers: [],
    failed: new Map(),
  });
});
