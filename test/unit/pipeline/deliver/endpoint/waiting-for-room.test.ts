import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { deliver } from '../../../../../functions/pipeline/deliver/deliver.ts';
import { expectedLoad } from '../../../../../functions/pipeline/deliver/expected-load.ts';
import { delivery, subscription } from '../../../../support/builders.ts';
import { event, signalled, world } from '../world.ts';

/** An attempt has to end within 50 s; this one's deadline is 10 s. */
const LATEST_START_MS = 40_000;

test.each([
  [LATEST_START_MS, 1],
  [LATEST_START_MS + 1, 0],
])(
  'a batch that has waited %d ms for room makes %d attempts: its time has run since its invocation began',
  async (waitedMs, attempts) => {
    const { ports, posts } = world({ subscriptions: [subscription()] });
    await deliver([event('evt-1')], ports, DELIVERY_POLICY, ports.now() - waitedMs);
    expect(posts).toHaveLength(attempts);
  },
);

test('a body that travels counts as it is, and one that is yet to be read as the largest there is', () => {
  const small = delivery();
  const { resource: _, ...large } = small.message;
  expect(expectedLoad([small])).toEqual({ records: 1, bytes: small.body.length });
  expect(expectedLoad([small, { ...small, message: large }, signalled('resume')])).toEqual({
    records: 3,
    bytes: small.body.length + 2 * 256 * 1_024,
  });
});
