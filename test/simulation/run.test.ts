import { runOptions } from './run-options.ts';
import { simulate } from './simulate.ts';
import { runWorld, type World } from './world.ts';

test('a seed gives the same event log each time', async () => {
  for (const seed of [1, 7, 42]) {
    const worlds: World[] = [];
    await simulate(seed, (world) => worlds.push(world));
    const tell = async () => {
      const lines: string[] = [];
      await runWorld(worlds[0]!.plan, (backlog) => lines.push(backlog));
      return lines;
    };
    const story = await tell();
    expect(story.length).toBeGreaterThan(10);
    expect(await tell()).toEqual(story);
  }
});

test('a thousand worlds run by default', () => {
  expect(runOptions([])).toEqual({ runs: 1_000 });
  expect(runOptions(['--seed', '7', '--runs', '1'])).toEqual({ runs: 1, seed: 7 });
  expect(runOptions(['--minutes', '2'])).toEqual({ runs: Number.POSITIVE_INFINITY, minutes: 2 });
  expect(runOptions(['--help'])).toBe('help');
});

test('invalid options are refused', () => {
  expect(() => runOptions(['--runs', '0'])).toThrow('--runs: must be a whole number from 1 to 10000000');
  expect(() => runOptions(['--runs', '5', '--minutes', '1'])).toThrow(
    '--runs and --minutes: give only one of them',
  );
});
