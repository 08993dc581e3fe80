import { parseExactly } from '../../../../functions/core/filter/decimal.ts';
import { refusedBy } from '../../../../functions/core/filter/evaluate.ts';
import type { FilteredEvent, Pattern } from '../../../../functions/core/filter/pattern.ts';

const eventWith = (resource: string, more: Partial<FilteredEvent> = {}): FilteredEvent => ({
  event_type: 'card_payment_captured',
  resource_type: 'payment',
  resource_id: 'pay_1',
  payment_id: 'pay_1',
  created_date: '2026-11-20T10:42:07.311Z',
  resource: parseExactly(resource),
  ...more,
});

/** Where a filter of the resource, both as JSON text, refuses it. */
const refused = (pattern: string, resource: string) =>
  refusedBy({ resource: JSON.parse(pattern) as Pattern }, eventWith(resource))?.join('.');

/**
 * The comparisons that Amazon publishes, with the values of its examples. Source: "Comparison operators for
 * use in event patterns" and "Creating event patterns", Amazon EventBridge User Guide; README of event-ruler.
 */
test.each([
  ['one of the values', '{"state":["initializing","running"]}', '{"state":"running"}', '{"state":"stopped"}'],
  [
    'all members',
    '{"Location":["New York"],"Day":["Monday"]}',
    '{"Location":"New York","Day":"Monday"}',
    '{"Location":"New York"}',
  ],
  ['begins with', '{"Region":[{"prefix":"us-"}]}', '{"Region":"us-east-1"}', '{"Region":"eu-us-1"}'],
  [
    'begins with, in any case',
    '{"service":[{"prefix":{"equals-ignore-case":"eventb"}}]}',
    '{"service":"EventBridge"}',
    '{"service":"event"}',
  ],
  ['ends with', '{"FileName":[{"suffix":".png"}]}', '{"FileName":"a.png"}', '{"FileName":"a.png.txt"}'],
  [
    'ends with, in any case',
    '{"service":[{"suffix":{"equals-ignore-case":"tbridge"}}]}',
    '{"service":"eventBRIDGE"}',
    '{"service":"bridges"}',
  ],
  ['in any case', '{"Name":[{"equals-ignore-case":"alice"}]}', '{"Name":"ALICE"}', '{"Name":"alices"}'],
  ['empty', '{"LastName":[""]}', '{"LastName":""}', '{"LastName":" "}'],
  ['null', '{"UserID":[null]}', '{"UserID":null}', '{"UserID":"null"}'],
  ['null is not absent', '{"UserID":[null]}', '{"UserID":null}', '{}'],
  ['equal numbers', '{"Price":[{"numeric":["=",100]}]}', '{"Price":100}', '{"Price":"100"}'],
  ['an equal number, however written', '{"x-limit":[301.8]}', '{"x-limit":3.018e2}', '{"x-limit":301}'],
  ['a range', '{"Price":[{"numeric":[">",10,"<=",20]}]}', '{"Price":20}', '{"Price":10}'],
  ['a range from zero', '{"c-count":[{"numeric":[">",0,"<=",5]}]}', '{"c-count":0.000001}', '{"c-count":0}'],
  ['smaller', '{"d-count":[{"numeric":["<",10]}]}', '{"d-count":9.999999}', '{"d-count":10}'],
  ['exists', '{"ProductName":[{"exists":true}]}', '{"ProductName":null}', '{"ProductName":{"short":"x"}}'],
  [
    'does not exist',
    '{"ProductName":[{"exists":false}]}',
    '{"ProductName":{"short":"x"}}',
    '{"ProductName":0}',
  ],
  [
    'any other text',
    '{"state":[{"anything-but":"initializing"}]}',
    '{"state":"running"}',
    '{"state":"initializing"}',
  ],
  ['any other must be there', '{"state":[{"anything-but":"initializing"}]}', '{"state":1}', '{}'],
  [
    'none of these texts',
    '{"state":[{"anything-but":["stopped","overloaded"]}]}',
    '{"state":"running"}',
    '{"state":"overloaded"}',
  ],
  [
    'none of these numbers',
    '{"x-limit":[{"anything-but":[100,200,300]}]}',
    '{"x-limit":"100"}',
    '{"x-limit":2e2}',
  ],
  [
    'does not begin with',
    '{"Region":[{"anything-but":{"prefix":"us-"}}]}',
    '{"Region":"eu-1"}',
    '{"Region":"us-1"}',
  ],
  [
    'begins with none of',
    '{"Region":[{"anything-but":{"prefix":["us-","eu-"]}}]}',
    '{"Region":"ap-1"}',
    '{"Region":"eu-1"}',
  ],
  [
    'does not end with',
    '{"FileName":[{"anything-but":{"suffix":".png"}}]}',
    '{"FileName":"a.txt"}',
    '{"FileName":"a.png"}',
  ],
  [
    'not in any case',
    '{"state":[{"anything-but":{"equals-ignore-case":"initializing"}}]}',
    '{"state":"init"}',
    '{"state":"INITIALIZING"}',
  ],
  ['one of a list', '{"resources":["arn:1"]}', '{"resources":["arn:0","arn:1"]}', '{"resources":[]}'],
  [
    'objects of a list',
    '{"employees":{"firstName":["Anna"]}}',
    '{"employees":[[{"firstName":"John"}],[{"firstName":"Anna"}]]}',
    '{"employees":[]}',
  ],
  [
    'one and the same object',
    '{"employees":{"firstName":["Anna"],"lastName":["Smith"]}}',
    '{"employees":[{"firstName":"Anna","lastName":"Smith"}]}',
    '{"employees":[{"firstName":"Anna"},{"lastName":"Smith"}]}',
  ],
  ['or', '{"$or":[{"Location":["New York"]},{"Day":["Monday"]}]}', '{"Day":"Monday"}', '{"Day":"Tuesday"}'],
  [
    'and with or, nested',
    '{"source":["a"],"$or":[{"m":[1],"$or":[{"n":[2]},{"o":[3]}]},{"p":[4]}]}',
    '{"source":"a","m":1,"o":3}',
    '{"source":"a","m":1}',
  ],
])('%s', (_, pattern, taken, notTaken) => {
  expect(refused(pattern, taken)).toBeUndefined();
  expect(refused(pattern, notTaken)).toBeDefined();
});

test.each([
  ['{"n":[{"numeric":["=","9007199254740993"]}]}', '{"n":9007199254740993}', '{"n":9007199254740992}'],
  [
    '{"n":[{"numeric":[">",9007199254740990,"<","9007199254740993"]}]}',
    '{"n":9007199254740992}',
    '{"n":9007199254740993}',
  ],
  [
    '{"n":[{"numeric":["<","12345678901234567890.02"]}]}',
    '{"n":12345678901234567890.01}',
    '{"n":12345678901234567890.02}',
  ],
  ['{"n":[0.1]}', '{"n":1e-1}', '{"n":0.1000000000000000055}'],
  ['{"n":[{"numeric":[">",-1]}]}', '{"n":-0.9999999999999999999}', '{"n":-1.0000000000000000001}'],
  ['{"n":[{"numeric":[">",0]}]}', '{"n":1e-400}', '{"n":-1e-400}'],
  ['{"n":[{"numeric":["<",100]}]}', '{"n":-1e400}', '{"n":1e400}'],
  ['{"n":[0]}', '{"n":-0.00000000000000000000}', '{"n":0.00000000000000000001}'],
  ['{"n":[{"anything-but":100}]}', '{"n":100.0000000000000001}', '{"n":100.0000000000000000}'],
])('compares numbers to the last digit: %s', (pattern, taken, notTaken) => {
  expect(refused(pattern, taken)).toBeUndefined();
  expect(refused(pattern, notTaken)).toBe('resource.n');
});

test('says which member refuses', () => {
  const filter = { event_type: ['card_payment_captured'], resource: { state: { status: ['paid'] } } };
  expect(refusedBy(filter, eventWith('{"state":{"status":"failed"}}'))).toEqual([
    'resource',
    'state',
    'status',
  ]);
  expect(refusedBy(filter, eventWith('{}', { event_type: 'other' }))).toEqual(['event_type']);
  expect(refused('{"$or":[{"a":[1]},{"b":[1]}]}', '{}')).toBe('resource.$or');
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'takes %s for a name like any other',
  (name) => {
    expect(refused(`{"${name}":[{"exists":true}]}`, '{}')).toBe(`resource.${name}`);
    expect(refused(`{"${name}":{"x":[1]}}`, `{"${name}":{"x":1}}`)).toBeUndefined();
    expect(refused(`{"text":{"${name}":[{"exists":true}]}}`, '{"text":12345678901234567890}')).toBeDefined();
  },
);

test('sees only events that have a number as numbered', () => {
  const numbered = { sequence: [{ numeric: ['>=', 2] }] } satisfies Pattern;
  expect(refusedBy(numbered, eventWith('{}', { sequence: 2 }))).toBeUndefined();
  expect(refusedBy(numbered, eventWith('{}'))).toEqual(['sequence']);
});
