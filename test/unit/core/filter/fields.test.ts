import { faultOfFields, projected } from '../../../../functions/core/filter/fields.ts';

const RESOURCE =
  '{"amount":9007199254740993.10,"state":{"status":"paid","code":1e2},"lines":[{"id":"a","tax":1.0},7,{"id":"b"}],"a/b":{"~":-0},"__proto__":{"x":1},"none":null,"10":["é\\u00e9\\"}"],"2":{"":{},"x":[]}}';

test.each([
  [['/amount'], '{"amount":9007199254740993.10}'],
  [['/state/code', '/amount'], '{"amount":9007199254740993.10,"state":{"code":1e2}}'],
  [['/state/status', '/state'], '{"state":{"status":"paid","code":1e2}}'],
  [['/lines/id'], '{"lines":[{"id":"a"},{"id":"b"}]}'],
  [['/lines/tax'], '{"lines":[{"tax":1.0},{}]}'],
  [['/a~1b/~0'], '{"a/b":{"~":-0}}'],
  [['/__proto__/x', '/constructor'], '{"__proto__":{"x":1}}'],
  [['/none', '/none/x', '/amount/x', '/toString'], '{"none":null}'],
  [['/2', '/none', '/10'], '{"none":null,"10":["é\\u00e9\\"}"],"2":{"":{},"x":[]}}'],
  [['/2/', '/2/x/y'], '{"2":{"":{},"x":[]}}'],
  [['/2//', '/2/x'], '{"2":{"":{},"x":[]}}'],
  [['/nothing'], '{}'],
])('keeps %j', (fields, text) => {
  expect(projected(RESOURCE, fields)).toBe(text);
});

test.each([
  [['amount'], 'must be JSON Pointers into resource, such as /amount or /card_details/card_brand'],
  [[''], 'must be JSON Pointers into resource, such as /amount or /card_details/card_brand'],
  [['/a~2'], 'must be JSON Pointers into resource, such as /amount or /card_details/card_brand'],
  [[`/${'é'.repeat(256)}`], 'must have at most 512 bytes together, not 513'],
])('refuses %.60j', (fields, reason) => {
  expect(faultOfFields(fields)).toBe(reason);
});
