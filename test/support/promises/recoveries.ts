import { randomUUID } from 'node:crypto';
import { type Recovery, stoppedRecovery } from '../../../functions/core/message/recovery.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import type { Tables } from './tables.ts';

/** One that is running, of a subscription of its own. */
export function someRecovery(over: Partial<Recovery> = {}): Recovery {
  return {
    ...{ service_id: 'bakery', subscription_id: `sub_${randomUUID()}`, recovery_id: `rec_${randomUUID()}` },
    ...{ state: 'running', step: 0, examined_count: 0, resent_count: 0 },
    ...{ since: '2026-11-13T10:00:00.000Z', until: '2026-11-14T10:00:00.000Z' },
    ...{ continue_at: '2026-11-13T10:00:00.000Z', started_at: '2026-11-14T10:00:00.000Z' },
    ...over,
  };
}

/** One recovery of a subscription at a time, and each step of it once. */
export function recoveryPromises(open: () => Pick<Tables, 'recoveries'>): void {
  test('of two that are started at the same moment, one is; another follows once it is done', async () => {
    const { recoveries } = open();
    const { subscription_id } = someRecovery();
    const both = [someRecovery({ subscription_id }), someRecovery({ subscription_id })];
    expect((await Promise.all(both.map((one) => recoveries.start(one)))).sort()).toEqual([false, true]);
    const running = (await recoveries.find({ service_id: 'bakery', subscription_id }))!;
    const done: Recovery = { ...running, state: 'done', step: 1, ended_at: '2026-11-14T10:00:01.000Z' };
    expect(await recoveries.advance(running, done)).toBe(true);
    expect(await recoveries.start(someRecovery({ subscription_id }))).toBe(true);
  });

  test('of two workers that carry out the same step, one advances it', async () => {
    const { recoveries } = open();
    const recovery = someRecovery();
    await recoveries.start(recovery);
    const after = { ...recovery, step: 1 };
    const both = [1, 2].map((resent_count) => recoveries.advance(recovery, { ...after, resent_count }));
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
    expect(await recoveries.find(recovery)).toMatchObject({ step: 1 });
  });

  test('of who stops a recovery and a worker that ends a step of it, one is told to look again', async () => {
    const { recoveries } = open();
    const recovery = someRecovery({ payment_ids: ['pay_1'], filter: '{"payment_id":["pay_1"]}' });
    await recoveries.start(recovery);
    const stopped = stoppedRecovery(recovery, TEN_O_CLOCK_MS);
    const both = await Promise.all([
      recoveries.advance(recovery, stopped),
      recoveries.advance(recovery, { ...recovery, step: 1, resent_count: 7 }),
    ]);
    expect(both.sort()).toEqual([false, true]);
    expect(await recoveries.find(recovery)).toMatchObject({ step: 1, payment_ids: ['pay_1'] });
  });

  test('a step of an earlier recovery advances no later one', async () => {
    const { recoveries } = open();
    const earlier = someRecovery();
    const later = { ...someRecovery(), subscription_id: earlier.subscription_id };
    await recoveries.start(later);
    expect(await recoveries.advance(earlier, { ...earlier, step: 1 })).toBe(false);
    expect(await recoveries.find(later)).toEqual(later);
  });
}
