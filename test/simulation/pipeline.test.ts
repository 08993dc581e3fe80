import { join } from 'node:path';
import { reportOn } from './report.ts';

/** Some hundred each time; `npm run test:full` says how many otherwise. */
const WORLDS = Number(process.env.SIMULATED_WORLDS ?? 300);
/** One for each core. */
const PROCESSES = 2;
/** 2,000 take less than two minutes where two cores are free. */
const PATIENCE_MS = 240_000 + 300 * WORLDS;
const ROOT = join(import.meta.dirname, '../..');

/** In so many worlds each of these happens so often at least: what never happens is not tried. */
const PER_WORLDS = 300;
const AT_LEAST: Readonly<Record<string, number>> = {
  events: 3_000,
  'failed attempts': 1_500,
  'repeats after a success': 20,
  'messages asked for again': 60,
  'of them by recoveries': 20,
  'late attempts': 30,
  'waits for a limit': 200,
  probes: 100,
  'circuits opened': 60,
  'circuits drained': 60,
  sweeps: 300,
  'keys that waited for an operator': 50,
  // Of two thousand worlds some have one.
  'second writers that were refused': 0.5,
  'worker crashed': 80,
  'worker timed_out': 40,
  'message succeeded': 3_000,
  'message exhausted: schedule': 60,
  'message exhausted: age': 150,
  'message exhausted: aborted_by_receiver': 10,
  'message cancelled: deleted': 30,
  'message cancelled: expired': 60,
  'message cancelled: disabled': 10,
  'message cancelled: skipped': 4,
  'endpoint fails': 60,
  'endpoint hangs': 40,
  'endpoint refuses': 40,
  'endpoint late': 8,
  'endpoint slow': 8,
  'endpoint overloaded': 8,
  'endpoint gone': 8,
  'endpoint in part': 80,
  'endpoint in turns': 60,
  'endpoint never heals': 15,
  'endpoint mixes': 40,
  'endpoint is steadily slow': 30,
  'owner: url': 8,
  'owner: timeout': 8,
  'owner: event types': 8,
  'owner: limit': 4,
  'owner: rotation': 8,
  'owner: revocation': 8,
  'pings attempted': 60,
  'events delayed': 200,
  'events repeated': 200,
  'world with index lagging for minutes': 20,
  'world with clocks apart by seconds': 20,
  'world with few workers': 30,
  'world without faults': 80,
  'world with more than 100 payments': 1,
  'world with invocations side by side': 60,
  'environment shared at a time': 60,
  'environment died with several': 2,
  'fault lateStart': 10,
  'fault freeze': 10,
  'fault throttled': 10,
  'fault unreadable': 3,
  'fault partial': 50,
  'fault outage': 10,
};

test(
  `in ${WORLDS} worlds with faults, each promise is kept`,
  async () => {
    const each = Math.ceil(WORLDS / PROCESSES);
    const reports = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => reportOn(ROOT, 1 + index * each, each)),
    );
    for (const { failure } of reports) {
      if (failure !== undefined) {
        const { seed, broken } = failure;
        throw new Error(
          `npm run simulate -- --seed ${seed} --runs 1 tells the story of:\n${broken.join('\n')}`,
        );
      }
    }
    const sum = (what: string) => reports.reduce((total, { counts }) => total + (counts[what] ?? 0), 0);
    expect(sum('worlds')).toBe(PROCESSES * each);
    const rare = Object.entries(AT_LEAST).filter(
      ([what, least]) => sum(what) < Math.floor((least * WORLDS) / PER_WORLDS),
    );
    expect(rare.map(([what]) => `${what}: ${sum(what)}`)).toEqual([]);
  },
  PATIENCE_MS,
);
