import { join } from 'node:path';
import { reportOn } from './report.ts';

/** `npm run test:full` sets more. */
const WORLDS = Number(process.env.SIMULATED_WORLDS ?? 60);
/** One for each core. */
const PROCESSES = 2;
/** 2,000 worlds take five minutes on two free cores. */
const PATIENCE_MS = 240_000 + 600 * WORLDS;
const ROOT = join(import.meta.dirname, '../..');

/**
 * How often each of these happens at least, per this many worlds: what never happens is not tested. Fewer worlds
 * are too few to say.
 */
const PER_WORLDS = 300;
const AT_LEAST: Readonly<Record<string, number>> = {
  events: 3_000,
  'failed attempts': 1_500,
  'repeats after a success': 20,
  'messages asked for again': 60,
  'of them by recoveries': 20,
  'delivered messages recovered': 20,
  'messages recovered by a filter': 10,
  'messages recovered by payments': 10,
  'recoveries stopped': 3,
  'late attempts': 30,
  'waits for a limit': 200,
  probes: 100,
  'circuits opened': 60,
  'circuits drained': 60,
  sweeps: 300,
  'ordering keys that waited for an operator': 50,
  // A few in two thousand worlds.
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
  'message cancelled: cancelled_by_partner': 15,
  'endpoint fails': 60,
  'endpoint hangs': 40,
  'endpoint refuses': 40,
  'endpoint late': 8,
  'endpoint slow': 8,
  'endpoint overloaded': 8,
  'endpoint gone': 8,
  'endpoint picky': 12,
  'endpoint limited': 3,
  'endpoint in part': 80,
  'endpoint in turns': 60,
  'endpoint never heals': 15,
  'endpoint mixes': 40,
  'endpoint is steadily slow': 30,
  'partner: url': 8,
  'partner: timeout': 8,
  'partner: event types': 8,
  'partner: limit': 4,
  'partner: rotation': 8,
  'partner: revocation': 8,
  'partner wants: filter': 80,
  'partner wants: fields': 80,
  'partner: filter': 150,
  'partner: fields': 60,
  'messages with some fields': 800,
  'events that a filter leaves out': 300,
  'pings attempted': 60,
  'challenges repeated': 40,
  'challenges superseded': 8,
  'events numbered': 600,
  'messages that waited for their turn': 250,
  'messages behind a gap': 100,
  'messages of late events': 20,
  'events straight into the queue': 200,
  'events delayed': 200,
  'events repeated': 200,
  'world with index lagging for minutes': 20,
  'world with clocks apart by seconds': 20,
  'world with blocks of payments': 15,
  'world whose workers freeze in an outage': 20,
  'world of weeks': 10,
  'disabled after days': 10,
  'world with workers that hear late': 12,
  'world with few workers': 30,
  'world with provisioned pollers': 30,
  'messages that do not fit their schema': 60,
  'world that refuses what does not fit': 15,
  'world with several services': 60,
  'world with shared payment ids': 30,
  'world without faults': 80,
  'world with more than 100 payments': 1,
  'world with invocations side by side': 60,
  'environment shared at a time': 60,
  'environment died with several': 1,
  'fault repeated': 100,
  'fault lateStart': 10,
  'fault freeze': 10,
  'fault throttled': 10,
  'fault unreadable': 3,
  'fault partial': 50,
  'fault outage': 10,
};

test(
  `in ${WORLDS} worlds with failures, every promise is kept`,
  async () => {
    const each = Math.ceil(WORLDS / PROCESSES);
    const reports = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => reportOn(ROOT, 1 + index * each, each)),
    );
    for (const { failure } of reports) {
      if (failure !== undefined) {
        const { seed, broken } = failure;
        throw new Error(`npm run simulate -- --seed ${seed} --runs 1 replays:\n${broken.join('\n')}`);
      }
    }
    const sum = (what: string) => reports.reduce((total, { counts }) => total + (counts[what] ?? 0), 0);
    expect(sum('worlds')).toBe(PROCESSES * each);
    const rare = Object.entries(AT_LEAST).filter(
      ([what, least]) => WORLDS >= PER_WORLDS && sum(what) < Math.floor((least * WORLDS) / PER_WORLDS),
    );
    expect(rare.map(([what]) => `${what}: ${sum(what)}`)).toEqual([]);
  },
  PATIENCE_MS,
);
