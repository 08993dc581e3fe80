import { trendsOf } from '../../../../load/soak/memory.ts';
import { kindOf, memorySampler } from '../../../../load/soak/sampling.ts';

const MINUTE_MS = 60_000;

/** A sample each minute of eight hours. */
function hours(mbAt: (hour: number) => number, kind = 'Deliver') {
  return Array.from({ length: 481 }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    meanMb: { [kind]: mbAt(minute / 60) },
    waiting: 0,
  }));
}

test('memory that grows only in the first fifth of the run is flat', () => {
  const [trend] = trendsOf(
    hours((hour) => Math.min(60 + 100 * hour, 200)),
    1,
  );
  expect(trend).toMatchObject({ kind: 'Deliver', mb_per_hour: 0, grown_mb: 0 });
});

test('a leak of 20 MB an hour is more than is allowed over eight hours', () => {
  const [trend] = trendsOf(
    hours((hour) => 100 + 20 * hour),
    1,
  );
  expect(trend).toMatchObject({ mb_per_hour: 20, grown_mb: 128, allowed_mb: 72 });
});

test('the emulator, which keeps all in memory, may grow with the events', () => {
  expect(
    trendsOf(
      hours(() => 100, 'emulator'),
      1_000,
    )[0],
  ).toMatchObject({ allowed_mb: 140 });
});

test('two samples make no trend', () => {
  expect(trendsOf(hours(() => 100).slice(0, 2), 1)).toEqual([]);
});

test('a worker is known by its construct, even if it ends in a hexadecimal digit', () => {
  expect(
    kindOf('node /tmp/a/ministack-lambda-payhooks-local-api-ApiF70053CD-732789EFCD243-o9b0m541/_worker.js'),
  ).toBe('Api');
  expect(kindOf('node /tmp/a/_worker.js')).toBe('other');
});

test('a worker that took the place of a killed one counts once it is warm', () => {
  const worker = (pid: number, rssMb: number) => ({
    pid,
    rssMb,
    args: 'node /tmp/a/x-Deliver72E7B226-AB52EB7B0B80D-hop2/_worker.js',
  });
  const emulator = [{ pid: 1, rssMb: 150, args: 'launcher.py' }];
  const memoryOf = memorySampler();
  const at = (seconds: number, ...workers: ReturnType<typeof worker>[]) =>
    memoryOf({ emulator, workers }, seconds * 1_000);
  expect(at(0, worker(2, 110), worker(3, 120))).toEqual({ Deliver: 115, emulator: 150 });
  expect(at(5, worker(2, 110), worker(4, 60))).toEqual({ Deliver: 110, emulator: 150 });
  expect(at(30, worker(4, 90))).toEqual({ emulator: 150 });
  expect(at(35, worker(4, 108))).toEqual({ Deliver: 108, emulator: 150 });
});
