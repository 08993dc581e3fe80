import { setTimeout as sleep } from 'node:timers/promises';
import { Blindness } from '../../../functions/runtime/blindness.ts';

/** As a process that is stopped, or computes. */
function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('the time in which a process could not look is measured, at once and once', async () => {
  const blindness = new Blindness();
  await blindness.during(async () => {
    await sleep(60);
    block(400);
    const countedAtMs = performance.now();
    const atOnce = blindness.ms;
    expect(atOnce).toBeGreaterThan(300);
    await sleep(60);
    // Another process may have the processor meanwhile: that is measured, too.
    expect(blindness.ms - atOnce).toBeLessThanOrEqual(performance.now() - countedAtMs);
  });
});

test('nothing is measured while nothing is under way', async () => {
  const blindness = new Blindness();
  await blindness.during(() => sleep(30));
  const before = blindness.ms;
  block(200);
  expect(blindness.ms).toBe(before);
});
