import { sleep } from '../../../functions/runtime/sleep.ts';

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a pause is something to wait for: without that Lambda ends an invocation that has nothing else under way', async () => {
  const before = timers();
  const paused = sleep(20);
  expect(timers()).toBe(before + 1);
  await paused;
});
