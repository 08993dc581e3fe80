import * as z from 'zod';
import { reasonOf } from '../../../functions/core/fault-reason.ts';
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
  const { error } = schema.safeParse(
    { name: 1, tags: ['a', 2], colour: 'red', size: 3 },
    { error: reasonOf },
  );

  expect(faultsOf(error!)).toEqual([
    { field: 'name', reason: 'must be a string, not a number' },
    { field: 'tags.1', reason: 'must be a string, not a number' },
    { field: 'live', reason: 'is missing' },
    { field: 'colour', reason: 'is not known' },
    { field: 'size', reason: 'is not known' },
  ]);
});
