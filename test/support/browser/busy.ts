import type { Page } from 'playwright-core';

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
