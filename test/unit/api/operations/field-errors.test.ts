import { OPERATIONS } from '../../../../functions/api/operations.ts';
import type { FieldError } from '../../../../functions/core/api/problem.ts';
import { bodyFor, membersOf, parametersOf, queryFor, shopWithEverything } from './every-operation.ts';

/** One value of each JSON type, and a few that are almost valid. */
const VALUES = [
  null,
  true,
  1,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '\u0000',
  'x'.repeat(5_000),
  [],
  [null],
  [1],
  ['x'],
  {},
  { x: 1 },
];
const TEXTS = ['', '0', '-1', '1.5', 'x', 'null', '\u0000', 'x'.repeat(5_000)];

/** Words that only Zod and JavaScript use. */
const NOT_OUR_WORDS = /^invalid|expected|received|unrecognized|undefined|too (big|small)|NaN|\[object/i;

function fieldErrorsIn(body: { errors?: FieldError[] }): readonly FieldError[] {
  return body.errors ?? [];
}

function expectOurWords(fieldErrors: readonly FieldError[], field: string): void {
  expect(fieldErrors.map((fieldError) => fieldError.field.split('.')[0])).toContain(field);
  for (const { reason } of fieldErrors) {
    expect(reason).not.toMatch(NOT_OUR_WORDS);
    expect(reason).not.toBe('');
  }
}

const members = OPERATIONS.flatMap((operation) =>
  membersOf(operation).map((member) => [operation.id, member, operation] as const),
);

test.each(members)('%s explains an invalid %s in our words', async (_, member, operation) => {
  const shop = await shopWithEverything();
  await shop.prepare(operation);
  const request = await shop.request(operation);
  let refused = 0;
  for (const value of VALUES) {
    const body = { ...(bodyFor(operation) as object), [member]: value };
    const answer = await shop.api({ ...request, body });
    expect(answer.status).toBeLessThan(500);
    if (answer.status === 400) {
      refused++;
      expectOurWords(fieldErrorsIn(answer.body), member);
    }
  }
  expect(refused).toBeGreaterThan(3);
});

const required = members.filter(
  ([, member, operation]) =>
    Object.keys((bodyFor(operation) as object) ?? {}).includes(member) && operation.method === 'POST',
);

test.each(required)('%s says that %s is missing', async (_, member, operation) => {
  const shop = await shopWithEverything();
  await shop.prepare(operation);
  const { [member]: __, ...body } = bodyFor(operation) as Record<string, unknown>;
  const answer = await shop.api({ ...(await shop.request(operation)), body });
  expect(answer.body.errors).toContainEqual({ field: member, reason: 'is missing' });
});

const withBody = OPERATIONS.filter(({ body }) => body !== undefined).map(
  ({ id, ...rest }) => [id, { id, ...rest }] as const,
);

test.each(withBody)('%s accepts only an object, without unknown fields', async (_, operation) => {
  const shop = await shopWithEverything();
  await shop.prepare(operation);
  const request = await shop.request(operation);
  for (const [body, kind] of [
    ['[]', 'a list'],
    ['null', 'null'],
    ['"x"', 'a string'],
    ['7', 'a number'],
  ] as const) {
    expect(await shop.api({ ...request, body })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'body', reason: `must be an object, not ${kind}` }] },
    });
  }
  expect(
    await shop.api({ ...request, body: { ...(bodyFor(operation) as object), colour: 'red' } }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'colour', reason: 'is not known' }] },
  });
});

const parameters = OPERATIONS.flatMap((operation) =>
  parametersOf(operation).map((parameter) => [operation.id, parameter, operation] as const),
);

test.each(parameters)('%s explains an invalid ?%s= in our words', async (_, parameter, operation) => {
  const shop = await shopWithEverything();
  await shop.prepare(operation);
  const request = await shop.request(operation);
  let refused = 0;
  for (const text of TEXTS) {
    const query = new URLSearchParams({ ...queryFor(operation), [parameter]: text }).toString();
    const answer = await shop.api({ ...request, query });
    expect(answer.status).toBeLessThan(500);
    if (answer.status === 400) {
      refused++;
      expectOurWords(fieldErrorsIn(answer.body), parameter);
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s refuses unknown and duplicate query parameters',
  async (_, operation) => {
    const shop = await shopWithEverything();
    await shop.prepare(operation);
    const request = await shop.request(operation);
    expect(await shop.api({ ...request, query: `${request.query}&colour=red` })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'colour', reason: 'is not known' }] },
    });
    for (const parameter of parametersOf(operation)) {
      const answer = await shop.api({ ...request, query: `${parameter}=1&${parameter}=2` });
      expect(answer.body.errors).toContainEqual({ field: parameter, reason: 'must be given once' });
    }
  },
);
