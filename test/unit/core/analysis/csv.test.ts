import { csvOf } from '../../../../functions/core/analysis/csv.ts';

test('a table is CSV as RFC 4180 has it', () => {
  const rows = [
    ['a "b", c', 1, 0.5],
    ['line\nbreak', -2, ''],
  ];
  expect(csvOf({ columns: ['service', 'count', 'share'], rows })).toBe(
    'service,count,share\r\n"a ""b"", c",1,0.5\r\n"line\nbreak",-2,\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is no formula', (text) => {
  const [, line = ''] = csvOf({ columns: ['a'], rows: [[text]] }).split('\r\n', 2);
  expect(line.replace(/^"/, '')).toMatch(/^'/);
});
