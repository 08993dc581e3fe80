import { endpointSettings } from '../../../lab/partners/partner-groups.ts';
import { waitingWatch } from '../../../lab/watch/waiting-watch.ts';
import { planned } from '../scenario/planned.ts';

test('waiting messages according to the API are recorded by group from the first event on', async () => {
  let startedAtMs: number | undefined;
  const partner = (group: string, count: number) => ({ group, waiting: async () => count });
  const watch = waitingWatch(
    [partner('healthy', 0), partner('limited', 7), partner('limited', 5)],
    () => startedAtMs,
  );
  await watch.poll();
  expect(watch.of('limited')).toEqual([]);
  startedAtMs = Date.now() - 2_000;
  await watch.poll();
  expect(watch.of('limited').at(-1)).toEqual({ at_seconds: 2, count: 12 });
  expect(watch.of('healthy').at(-1)?.count).toBe(0);
});

/** How the limited partner of `backpressure` behaves and asks, before and after. */
async function limited(...args: string[]) {
  const { groups } = await planned('backpressure', ...args);
  const { changes = [] } = groups.find(({ name }) => name === 'limited') ?? {};
  return changes.map(({ receiver = {}, subscription }) => ({
    receiver: endpointSettings(receiver, 0),
    subscription,
  }));
}

test('by default the subscription has a rate limit, which is raised once all is sent', async () => {
  expect(await limited()).toEqual([
    { receiver: { delay_ms: 100, takes_per_second: 0 }, subscription: { rate_limit: 1 } },
    { receiver: { delay_ms: 100 }, subscription: { rate_limit: 100 } },
  ]);
});

test('the endpoint can instead have a capacity unknown to Payhooks', async () => {
  expect(await limited('--rate-limit', '0', '--eased-rate-limit', '0', '--takes-per-second', '1')).toEqual([
    { receiver: { delay_ms: 100, takes_per_second: 1 }, subscription: {} },
    { receiver: { delay_ms: 100 }, subscription: {} },
  ]);
});
