import { runOptions } from './run-options.ts';
import { type Failure, simulate } from './simulate.ts';
import { Tally } from './tally.ts';
import { runWorld, type World } from './world.ts';

const WORLDS = 2_000;
/** Takes some 20 s where two cores are free. */
const PATIENCE_MS = 240_000;

test(
  'in two thousand worlds with faults, each promise is kept',
  async () => {
    const tally = new Tally();
    let failure: Failure | undefined;
    for (let seed = 1; seed <= WORLDS && failure === undefined; seed += 1) {
      failure = await simulate(seed, (world) => tally.add(world));
    }
    if (failure !== undefined) {
      const { seed, broken } = failure;
      throw new Error(
        `npm run simulate -- --seed ${seed} --runs 1 tells the story of:\n${broken.join('\n')}`,
      );
    }
    // Worlds in which nothing happens would keep every promise.
    expect(tally.events).toBeGreaterThan(5 * WORLDS);
    expect(tally.failedAttempts).toBeGreaterThan(WORLDS);
    expect(tally.crashedWorkers).toBeGreaterThan(WORLDS);
    expect(tally.timedOutWorkers).toBeGreaterThan(WORLDS / 20);
    expect(tally.repeats).toBeGreaterThan(WORLDS / 20);
  },
  PATIENCE_MS,
);

test('a seed tells the same story each time', async () => {
  for (const seed of [1, 7, 42]) {
    const worlds: World[] = [];
    await simulate(seed, (world) => worlds.push(world));
    const tell = async () => {
      const lines: string[] = [];
      await runWorld(worlds[0]!.plan, (line) => lines.push(line));
      return lines;
    };
    const story = await tell();
    expect(story.length).toBeGreaterThan(10);
    expect(await tell()).toEqual(story);
  }
});

test('a thousand worlds are run unless told otherwise', () => {
  expect(runOptions([])).toEqual({ runs: 1_000 });
  expect(runOptions(['--seed', '7', '--runs', '1'])).toEqual({ runs: 1, seed: 7 });
  expect(runOptions(['--minutes', '2'])).toEqual({ runs: Number.POSITIVE_INFINITY, minutes: 2 });
  expect(runOptions(['--help'])).toBe('help');
});

test('what cannot be run is refused', () => {
  expect(() => runOptions(['--runs', '0'])).toThrow('--runs: must be a whole number from 1 to 10000000');
  expect(() => runOptions(['--runs', '5', '--minutes', '1'])).toThrow(
    '--runs and --minutes: say one of them',
  );
});
