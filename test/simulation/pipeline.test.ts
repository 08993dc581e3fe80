import { join } from 'node:path';
import { reportOn } from './report.ts';

const WORLDS = 2_000;
/** One for each core. */
const PROCESSES = 2;
/** Takes about a minute where two cores are free. */
const PATIENCE_MS = 240_000;
const ROOT = join(import.meta.dirname, '../..');

test(
  'in two thousand worlds with faults, each promise is kept',
  async () => {
    const each = WORLDS / PROCESSES;
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
    // Worlds in which nothing happens would keep every promise.
    const sum = (what: string) => reports.reduce((total, { counts }) => total + (counts[what] ?? 0), 0);
    expect(sum('worlds')).toBe(WORLDS);
    const atLeast: Record<string, number> = {
      events: 20_000,
      'failed attempts': 10_000,
      'repeats after a success': 50,
      'messages asked for again': 600,
      'of them by recoveries': 250,
      'late attempts': 300,
      'waits for a limit': 2_000,
      probes: 4_000,
      'circuits opened': 1_000,
      'circuits drained': 1_000,
      sweeps: 1_000,
      'keys that waited for an operator': 500,
      'worker crashed': 1_000,
      'worker timed_out': 300,
      'worker failed': 500,
      'message succeeded': 20_000,
      'message exhausted: schedule': 200,
      'message exhausted: age': 1_000,
      'message exhausted: aborted_by_receiver': 40,
      'message cancelled: deleted': 300,
      'message cancelled: expired': 500,
      'message cancelled: disabled': 100,
      'message cancelled: skipped': 40,
    };
    for (const [what, least] of Object.entries(atLeast)) {
      expect([what, sum(what) >= least]).toEqual([what, true]);
    }
  },
  PATIENCE_MS,
);
