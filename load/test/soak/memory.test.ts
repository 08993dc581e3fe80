import { trendsOf, unprovenKinds } from '../../soak/memory.ts';
import { kindOf } from '../../soak/sampling.ts';

const MINUTE_MS = 60_000;

type MbAt = (hour: number) => number | undefined;

/** A sample each minute of eight hours. A process is there while it has memory. */
function hours(processes: readonly { kind: string; mbAt: MbAt }[]) {
  return Array.from({ length: 481 }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    processes: processes.flatMap(({ kind, mbAt }, pid) => {
      const mb = mbAt(minute / 60);
      return mb === undefined ? [] : [{ pid, kind, mb }];
    }),
    waiting: 0,
  }));
}
const deliver = (...all: MbAt[]) => hours(all.map((mbAt) => ({ kind: 'Deliver', mbAt })));
const from =
  (hour: number, mbAt: (age: number) => number, until = Number.POSITIVE_INFINITY): MbAt =>
  (now) =>
    now >= hour && now < until ? mbAt(now - hour) : undefined;

test('memory that grows only in the first fifth of a life is flat', () => {
  const [trend] = trendsOf(
    deliver((hour) => Math.min(60 + 100 * hour, 200)),
    1,
  );
  expect(trend).toMatchObject({ kind: 'Deliver', mb_per_hour: 0, grown_mb: 0, lived_hours: 8 });
});

test('a leak of 20 MB an hour is more than is allowed over eight hours', () => {
  const [trend] = trendsOf(
    deliver((hour) => 100 + 20 * hour),
    1,
  );
  expect(trend).toMatchObject({ mb_per_hour: 20, grown_mb: 128, allowed_mb: 57 });
});

test('a leak shows in the one that lives on after others of its kind were killed', () => {
  const leaking = (age: number) => 100 + 20 * age;
  const [trend, ...others] = trendsOf(deliver(from(0, leaking, 2), from(2, leaking, 4), from(4, leaking)), 1);
  expect(others).toEqual([]);
  expect(trend).toMatchObject({ mb_per_hour: 20, grown_mb: 64, allowed_mb: 41, lived_hours: 4 });
});

test('of several that lived long enough the one that grew most is judged', () => {
  const samples = deliver(
    () => 100,
    (hour) => 100 + 20 * hour,
    () => 90,
  );
  expect(trendsOf(samples, 1)).toMatchObject([{ mb_per_hour: 20 }]);
});

test('kinds whose processes were all killed too soon prove nothing', () => {
  const killed = [0, 2, 4, 6].map((hour) => ({ kind: 'Match', mbAt: from(hour, () => 80, hour + 2) }));
  const samples = hours([...killed, { kind: 'Deliver', mbAt: () => 100 }]);
  const trends = trendsOf(samples, 1);
  expect(trends.map(({ kind }) => kind)).toEqual(['Deliver']);
  expect(unprovenKinds(samples, trends)).toEqual(['Match']);
});

test('a function that works only now and then needs no trend', () => {
  const samples = hours([{ kind: 'Sweep', mbAt: from(5, () => 80, 5.5) }]);
  expect(unprovenKinds(samples, trendsOf(samples, 1))).toEqual([]);
});

test('the emulator, which keeps all in memory, may grow with the events', () => {
  expect(trendsOf(hours([{ kind: 'emulator', mbAt: () => 100 }]), 1_000)[0]).toMatchObject({
    allowed_mb: 125,
  });
});

test('two samples make no trend', () => {
  expect(trendsOf(deliver(() => 100).slice(0, 2), 1)).toEqual([]);
});

test('a worker is known by its construct, even if it ends in a hexadecimal digit', () => {
  expect(
    kindOf('node /tmp/a/ministack-lambda-payhooks-local-api-ApiF70053CD-732789EFCD243-o9b0m541/_worker.js'),
  ).toBe('Api');
  expect(kindOf('node /tmp/a/_worker.js')).toBe('other');
});
