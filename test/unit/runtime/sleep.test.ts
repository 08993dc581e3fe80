import { sleep } from '../../../functions/runtime/sleep.ts';

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('sleep keeps the process alive, or Lambda would end an invocation with nothing else under way', async () => {
  const before = timers();
  const paused = sleep(20);
  expect(timers()).toBe(before + 1);
  await paused;
});
