import { faultOfFilter, mayTake } from '../../../../functions/core/filter/check-filter.ts';
import { parseExactly } from '../../../../functions/core/filter/decimal.ts';
import type { Pattern } from '../../../../functions/core/filter/pattern.ts';

const faultOf = (text: string) => {
  const fault = faultOfFilter(parseExactly(text));
  return fault && [fault.path.join('.'), fault.reason].join(': ');
};

test.each([
  '{"resource":{"amount":[{"numeric":[">",100]}]}}',
  '{"event_type":[{"prefix":"card_"}],"$or":[{"resource":{"a":[1]}},{"sequence":[{"exists":false}]}]}',
  '{"resource":{"a":[100.00000000000000000000,{"numeric":["=",1.50000000000000000000e2]}]}}',
  '{"resource":{"__proto__":{"constructor":["x"]},"n":[{"numeric":["=","9007199254740993"]}]}}',
])('takes %s', (text) => {
  expect(faultOf(text)).toBeUndefined();
});

test.each([
  ['null', ': must be an object such as {"resource":{"amount":[{"numeric":[">",100]}]}}'],
  ['[]', ': must be an object such as {"resource":{"amount":[{"numeric":[">",100]}]}}'],
  ['{}', ': must not be empty'],
  [
    '{"__proto__":["x"]}',
    '__proto__: is not in an event; there are event_type, resource_type, resource_id, payment_id, created_date, sequence and resource',
  ],
  ['{"resource":["x"]}', 'resource: must be an object: the resource of an event is one'],
  ['{"resource":{"a":{}}}', 'resource.a: must not be empty'],
  ['{"resource":{"a":"x"}}', 'resource.a: must be a list of the values to take, or an object'],
  ['{"resource":{"a":[]}}', 'resource.a: must not be empty'],
  [
    '{"resource":{"a":[[1]]}}',
    'resource.a: must be a list of texts, numbers, true, false, null and comparisons',
  ],
  ['{"event_type":{"a":["x"]}}', 'event_type: must be a list of the values to take'],
  ['{"resource_id":[7,{"numeric":[">",1]}]}', 'resource_id: can match no event: its value is always a text'],
  ['{"payment_id":[{"exists":false}]}', 'payment_id: can match no event: its value is always a text'],
  ['{"sequence":["7",{"prefix":"7"}]}', 'sequence: can match no event: its value is always a number'],
  [
    '{"resource":{"a":[{"numeric":[">",5,"<",5]}]}}',
    'resource.a: can match no event: no number is > 5 and < 5',
  ],
  [
    '{"resource":{"a":[{"numeric":[">=","9007199254740993","<=","9007199254740992"]}]}}',
    'resource.a: can match no event: no number is >= 9007199254740993 and <= 9007199254740992',
  ],
  [
    '{"resource":{"a":[{"numeric":["<",5,">",1]}]}}',
    'resource.a: numeric takes one comparison such as [">", 100], or two such as [">=", 100, "<", 200]',
  ],
  [
    '{"resource":{"a":[{"numeric":["=","1e5"]}]}}',
    'resource.a: numeric takes one comparison such as [">", 100], or two such as [">=", 100, "<", 200]',
  ],
  [
    '{"resource":{"a":[9007199254740993]}}',
    'resource.a: numbers have at most 15 digits; longer ones as text: {"numeric": ["=", "9007199254740993"]}',
  ],
  ...[
    '[0.1000000000000000055]',
    '[{"anything-but":[1,100.00000000000000001]}]',
    '[{"numeric":[">",1e-400]}]',
    '[{"numeric":[">",1,"<",9007199254740993]}]',
  ].map((leaf) => [
    `{"resource":{"a":${leaf}}}`,
    'resource.a: numbers have at most 15 digits; longer ones as text: {"numeric": ["=", "9007199254740993"]}',
  ]),
  ['{"resource":12345678901234567890}', 'resource: must be an object: the resource of an event is one'],
  ['12345678901234567890', ': must be an object such as {"resource":{"amount":[{"numeric":[">",100]}]}}'],
  [
    '{"resource":{"a":[1e999]}}',
    'resource.a: numbers have at most 15 digits; longer ones as text: {"numeric": ["=", "9007199254740993"]}',
  ],
  [
    '{"resource":{"a":[{"wildcard":"*"}]}}',
    'resource.a: takes one comparison in each object: prefix, suffix, equals-ignore-case, anything-but, numeric, exists',
  ],
  [
    '{"resource":{"a":[{"prefix":"a","suffix":"b"}]}}',
    'resource.a: takes one comparison in each object: prefix, suffix, equals-ignore-case, anything-but, numeric, exists',
  ],
  [
    '{"resource":{"a":[{"anything-but":["x",1]}]}}',
    'resource.a: anything-but takes texts or numbers, not both, or a comparison of texts',
  ],
  [
    '{"resource":{"a":[{"anything-but":{"wildcard":"x"}}]}}',
    'resource.a: anything-but takes {"prefix": …}, {"suffix": …} or {"equals-ignore-case": …} with a text or texts',
  ],
  ['{"resource":{"a":[{"prefix":1}]}}', 'resource.a: prefix takes a text, or {"equals-ignore-case": text}'],
  ['{"resource":{"a":[{"exists":"yes"}]}}', 'resource.a: exists takes true or false'],
  ['{"$or":[{"resource":{"a":[1]}}]}', '$or: must be a list of at least two objects'],
  [
    `{"resource":${'{"a":'.repeat(1_000)}[1]${'}'.repeat(1_000)}}`,
    `resource${'.a'.repeat(9)}: must be nested at most 10 levels deep`,
  ],
  [
    `{"$or":[${Array(120).fill('{"resource":{"abcdefgh":["12"]}}').join()}]}`,
    ': must have at most 2048 bytes as JSON without blanks, not 3969',
  ],
  [`{"resource":{"a":[${Array(101).fill('1').join()}]}}`, ': must have at most 100 values, not 101'],
])('refuses %.60s', (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

test('knows which types of events a filter may take', () => {
  const filter: Pattern = {
    $or: [{ event_type: ['refunded'] }, { event_type: [{ prefix: 'card_' }], resource: { a: [1] } }],
  };
  expect(['refunded', 'card_paid', 'expired'].filter((type) => mayTake(filter, type))).toEqual([
    'refunded',
    'card_paid',
  ]);
});
