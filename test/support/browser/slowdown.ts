import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * How many times slower pages are than they could be: PAYHOOKS_BROWSER_SLOWDOWN, to find what races with
 * them.
 */
export const SLOWDOWN = Number(process.env.PAYHOOKS_BROWSER_SLOWDOWN ?? 1);

const MAX_LATE_MS = 400;

/**
 * Slows a page down, and its API: answers come late, each by another time. Nothing unless it is asked for.
 */
export async function slowDown(page: Page): Promise<void> {
  if (SLOWDOWN === 1) return;
  const context = page.context();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await context.route(/\/v1\/(?!console)/, async (route) => {
    await setTimeout(Math.random() * MAX_LATE_MS);
    // The page may be closed by then.
    await route.continue().catch(() => {});
  });
}

/**
 * How long a page is busy with an action, in ms of its own CPU time: what else the machine does is not in it.
 */
export async function busyMs(page: Page, action: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await taskMs();
  await action();
  const after = await taskMs();
  await devtools.detach();
  return after - before;
}
