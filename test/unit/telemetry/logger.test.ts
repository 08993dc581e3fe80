import { logger } from '../../../functions/telemetry/logger.ts';

/** The log entry that is written. */
function lineOf(write: () => void): string {
  let written = '';
  const spies = ([process.stdout, process.stderr] as const).map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    }),
  );
  write();
  for (const spy of spies) {
    spy.mockRestore();
  }
  return written;
}

test('every string of a log entry is limited in length', () => {
  const long = 'x'.repeat(50_000);
  const line = lineOf(() =>
    logger.error('something', { field: long, deep: [{ in: long }], error: new Error(`no such ${long}`) }),
  );
  expect(line).toContain('... (50000 characters)');
  expect(line.length).toBeLessThan(30_000);
});

test('a log entry contains nothing that can act on the terminal of its reader', () => {
  const line = lineOf(() =>
    logger.info('something', { field: 'a\u0000\u001b[31m\n\u009b1m\u202egnp\ud800' }),
  );
  expect(line.trimEnd()).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(line).field).toBe('a\u0000\u001b[31m\n\\u009b1m\\u202egnp\\ud800');
});
