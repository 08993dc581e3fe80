import { readQuery, readSettings } from '../../../../../functions/load-lab/receiver/store/settings.ts';

const fromQuery = (query: string) => readQuery(new URLSearchParams(query));

test('omitted settings get their default', () => {
  expect(readSettings({})).toEqual({
    kind: 'usable',
    value: {
      delay_ms: 0,
      failure_rate: 0,
      failure_status: 500,
      hang: false,
      response_headers: {},
    },
  });
});

test.each([
  [{ delay_ms: -1 }, 'delay_ms'],
  [{ delay_ms: [200, 100] }, 'delay_ms'],
  [{ delay_ms: [1, 2, 3] }, 'delay_ms'],
  [{ delay_ms: 900_001 }, 'delay_ms'],
  [{ failure_rate: 1.1 }, 'failure_rate'],
  [{ failure_status: 102 }, 'failure_status'],
  [{ outage_until: 'tomorrow' }, 'outage_until'],
  [{ hang: 'yes' }, 'hang'],
  [{ secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, 'secret'],
  [{ response_headers: { 'no spaces': 'x' } }, 'response_headers.no spaces'],
  [{ response_headers: { 'x-split': 'a\r\nb: c' } }, 'response_headers.x-split'],
  [{ delay: 100 }, 'delay'],
  ['100', 'settings'],
])('%j is refused, and its field is named', (value, field) => {
  expect(readSettings(value)).toEqual({
    kind: 'unusable',
    fieldErrors: [{ field, reason: expect.any(String) }],
  });
});

test('every invalid field is named with its reason', () => {
  expect(readSettings({ delay_ms: 'slow', dely: 3 })).toEqual({
    kind: 'unusable',
    fieldErrors: [
      { field: 'delay_ms', reason: 'must be a number or [least, most], 0 to 900000' },
      { field: 'dely', reason: 'is not a setting' },
    ],
  });
});

test('a query contains only overrides', () => {
  expect(fromQuery('')).toEqual({ kind: 'usable', value: {} });
  expect(fromQuery('delay_ms=100-2000&failure_rate=0.1&failure_status=503&hang=false')).toEqual({
    kind: 'usable',
    value: { delay_ms: [100, 2_000], failure_rate: 0.1, failure_status: 503, hang: false },
  });
});

test.each([
  ['delay_ms=soon', 'delay_ms'],
  ['delay_ms=100-', 'delay_ms'],
  ['failure_rate=', 'failure_rate'],
  ['failure_rate=10%25', 'failure_rate'],
  ['hang=1', 'hang'],
  ['dely_ms=100', 'dely_ms'],
  ['__defineGetter__=x', '__defineGetter__'],
  ['secret=whsec_abc', 'secret'],
])('the query %s is refused, and its field is named', (query, field) => {
  expect(fromQuery(query)).toEqual({
    kind: 'unusable',
    fieldErrors: [{ field, reason: expect.any(String) }],
  });
});
