import * as z from 'zod';
import { faultsOf, problem } from '../../../functions/core/problem.ts';

test('a problem has a stable type, the status and what happened this time', () => {
  expect(problem('not-found', 'This service has no message with that id.')).toEqual({
    type: 'urn:payhooks:problem:not-found',
    title: 'There is no such thing',
    status: 404,
    detail: 'This service has no message with that id.',
  });
});

test('each member that is wrong, missing or unknown is a fault of its own', () => {
  const schema = z.strictObject({ name: z.string(), tags: z.array(z.string()), live: z.boolean() });
  const { error } = schema.safeParse({ name: 1, tags: ['a', 2], colour: 'red', size: 3 });

  expect(faultsOf(error!)).toEqual([
    { field: 'name', reason: 'Invalid input: expected string, received number' },
    { field: 'tags.1', reason: 'Invalid input: expected string, received number' },
    { field: 'live', reason: 'Invalid input: expected boolean, received undefined' },
    { field: 'colour', reason: 'is not known' },
    { field: 'size', reason: 'is not known' },
  ]);
});
