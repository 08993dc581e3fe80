import * as z from 'zod';
import { detailOf, fieldErrorsOf } from '../../../../functions/core/api/problem.ts';
import { reasonOf } from '../../../../functions/core/errors/error-reason.ts';

test('each field that is wrong, missing or unknown is an error of its own', () => {
  const schema = z.strictObject({ name: z.string(), tags: z.array(z.string()), live: z.boolean() });
  const { error } = schema.safeParse(
    { name: 1, tags: ['a', 2], colour: 'red', size: 3 },
    { error: reasonOf },
  );

  expect(fieldErrorsOf(error!)).toEqual([
    { field: 'name', reason: 'must be a string, not a number' },
    { field: 'tags.1', reason: 'must be a string, not a number' },
    { field: 'live', reason: 'is missing' },
    { field: 'colour', reason: 'is not known' },
    { field: 'size', reason: 'is not known' },
  ]);
});

test('the detail names the first three of several errors', () => {
  const fieldError = (field: string) => ({ field, reason: 'is missing' });
  expect(detailOf(['a', 'b', 'c'].map(fieldError), 'field')).toBe(
    '3 fields are wrong: a is missing; b is missing; c is missing.',
  );
  expect(detailOf(['a', 'b', 'c', 'd'].map(fieldError), 'query parameter')).toBe(
    '4 query parameters are wrong: a is missing; b is missing; c is missing; the rest is in errors.',
  );
  expect(
    detailOf(
      Array.from({ length: 20 }, () => fieldError('a')),
      'field',
    ),
  ).toMatch(/^At least 20 fields are wrong: /);
});

test.each([1e20, -1e20])('for %d the chosen bound is reported, not that of JavaScript', (limit) => {
  const schema = z.strictObject({ limit: z.int().min(1).max(100), at: z.int() });
  const { error } = schema.safeParse({ limit, at: limit }, { error: reasonOf });
  expect(fieldErrorsOf(error!)).toEqual([
    { field: 'limit', reason: limit > 0 ? 'must be at most 100' : 'must be at least 1' },
    { field: 'at', reason: expect.stringContaining('9007199254740991') },
  ]);
});
