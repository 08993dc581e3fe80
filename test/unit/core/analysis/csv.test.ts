import { spawnSync } from 'node:child_process';
import { csvOf } from '../../../../functions/core/analysis/csv.ts';
import { hasPython } from '../../../support/examples-python.ts';

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

(hasPython ? test : test.skip)(
  'Python reads a table as it was, but for the apostrophes (needs python3)',
  () => {
    const rows = [
      ['a "b", c', 1, 0.5],
      ['line\r\nbreak', -2, ''],
      ['=1+1', 0, 'ß ✓'],
    ];
    const script =
      'import csv, io, json, sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode(), newline="")))))';
    const { stdout, error } = spawnSync('python3', ['-c', script], {
      input: csvOf({ columns: ['service', 'count', 'share'], rows }),
      encoding: 'utf8',
    });
    expect(error).toBeUndefined();
    expect(JSON.parse(stdout)).toEqual([
      ['service', 'count', 'share'],
      ['a "b", c', '1', '0.5'],
      ['line\r\nbreak', '-2', ''],
      ["'=1+1", '0', 'ß ✓'],
    ]);
  },
);
