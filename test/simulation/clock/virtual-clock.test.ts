import { VirtualClock } from './virtual-clock.ts';

test('time jumps from timer to timer, and those of one instant go off as they were set', async () => {
  const clock = new VirtualClock(1_000);
  const heard: string[] = [];
  const hear = (what: string) => () => heard.push(`${what} at ${clock.now()}`);
  clock.at(3_000, hear('second'));
  clock.at(2_000, hear('first'));
  clock.at(3_000, hear('third'));
  expect(await clock.run(10_000)).toBe(true);
  expect(heard).toEqual(['first at 2000', 'second at 3000', 'third at 3000']);
});

test('time stands still while promises continue', async () => {
  const clock = new VirtualClock(0);
  const instants: number[] = [];
  const work = async () => {
    for (let step = 0; step < 3; step += 1) {
      await clock.after(100);
      await Promise.resolve().then(() => {});
      instants.push(clock.now());
    }
  };
  clock.at(150, () => instants.push(-clock.now()));
  void work();
  await clock.run(1_000);
  expect(instants).toEqual([100, -150, 200, 300]);
});

test('a run that ends before the last timer says so', async () => {
  const clock = new VirtualClock(0);
  clock.at(2_000, () => {});
  expect(await clock.run(1_999)).toBe(false);
});

test('a cancelled timer does not go off, and a finished run does not continue', async () => {
  const clock = new VirtualClock(0);
  const heard: number[] = [];
  const hear = () => heard.push(clock.now());
  for (const atMs of [500, 300, 100, 400, 200]) {
    const timer = clock.at(atMs, hear);
    if (atMs === 300) {
      clock.cancel(timer);
    }
  }
  expect(await clock.run(1_000, () => heard.length === 3)).toBe(true);
  expect(heard).toEqual([100, 200, 400]);
});
