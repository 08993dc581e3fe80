import { readCommand } from '../../cli/terminal/run-commands.ts';
import { SIMULATE, worldsFor } from './run-command.ts';
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
  expect(worldsFor(undefined, undefined)).toBe(1_000);
  expect(worldsFor(1, undefined)).toBe(1);
  expect(worldsFor(undefined, 2)).toBe(Number.POSITIVE_INFINITY);
});

test('seed, runs and minutes are read from the command line', () => {
  expect(readCommand(SIMULATE, ['--seed', '7', '--runs', '1'])).toMatchObject({
    given: { runs: 1, seed: 7 },
  });
  expect(readCommand(SIMULATE, ['--minutes', '2'])).toMatchObject({ given: { minutes: 2 } });
});

test('invalid options are refused', () => {
  expect(() => readCommand(SIMULATE, ['--runs', '0'])).toThrow(
    "option '--runs <N>' argument '0' is invalid. Must be a whole number from 1 to 10000000",
  );
  expect(() => readCommand(SIMULATE, ['--runs', '5', '--minutes', '1'])).toThrow(
    '--runs and --minutes: give only one of them',
  );
});
