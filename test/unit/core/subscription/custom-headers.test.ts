import { customHeadersSchema } from '../../../../functions/core/subscription/custom-headers.ts';

const faultsOf = (headers: unknown) =>
  customHeadersSchema
    .safeParse(headers)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

test('names are stored in lower case, values unchanged', () => {
  expect(customHeadersSchema.parse({ 'X-Shop': 'The Bakery', Authorization: 'Basic c2hvcDo=' })).toEqual({
    'x-shop': 'The Bakery',
    authorization: 'Basic c2hvcDo=',
  });
});

test('at most ten headers, with names of 64 characters and values of 1,024', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a']));
  expect(faultsOf(headers(10))).toEqual([]);
  expect(faultsOf(headers(11))).toEqual([' must have at most 10 members']);
  expect(faultsOf({ ['x'.repeat(64)]: 'a'.repeat(1_024) })).toEqual([]);
  expect(faultsOf({ ['x'.repeat(65)]: 'a' })).toHaveLength(1);
  expect(faultsOf({ x: 'a'.repeat(1_025) })).toHaveLength(1);
});

test.each(['__proto__', 'constructor', 'Constructor', '__PROTO__'])(
  '%s is reserved, as objects have it',
  (name) => {
    expect(faultsOf(JSON.parse(`{"${name}":"1"}`))).toEqual([`${name} is a reserved header`]);
  },
);

test.each(['toString', 'valueOf', 'hasOwnProperty'])('%s is allowed', (name) => {
  expect(customHeadersSchema.parse(JSON.parse(`{"${name}":"1"}`))).toEqual({ [name.toLowerCase()]: '1' });
});

test.each([
  'content-type',
  'Content-Length',
  'content-encoding',
  'Host',
  'user-agent',
  'accept-encoding',
  'connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'keep-alive',
  'cookie',
  'webhook-id',
  'Webhook-Signature',
  'webhook-anything',
  'Pay-Signature',
])('%s is reserved', (name) => {
  expect(faultsOf({ [name]: 'a' })).toEqual([`${name} is a reserved header`]);
});

test.each(['', 'x shop', 'x:shop', 'x-shöp', 'x\r\nhost', '"x"'])('%j is not a header name', (name) => {
  expect(faultsOf({ [name]: 'a' })).toEqual([
    `${name} must have a header name: a token of at most 64 characters`,
  ]);
});

test.each(['', ' ', ' secret', 'secret\t', 'se\r\ncret: 1', 'sécret', 'secret\u0000'])(
  '%j is not a value, and is not quoted',
  (value) => {
    expect(faultsOf({ x: value })).toEqual([
      'x must be 1 to 1024 printable ASCII characters without blanks at either end',
    ]);
  },
);

test('a header may be given only once, in any case', () => {
  expect(faultsOf({ 'X-Shop': 'a', 'x-shop': 'b' })).toEqual([
    'X-Shop is given twice: header names are not case-sensitive',
    'x-shop is given twice: header names are not case-sensitive',
  ]);
});
