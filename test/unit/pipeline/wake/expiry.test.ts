import { expiryTimer } from '../../../../functions/core/ordering/timers.ts';
import { subscription } from '../../../support/builders.ts';
import { world } from './world.ts';

const PULLED = { delivery: 'pull', callback_url: '', expires_after_seconds: 300 } as const;

function expiring(expires_at: string) {
  const { wake, log, subscriptions, faults } = world();
  const one = subscription({ subscription_id: 'sub_1', ...PULLED, expires_at });
  subscriptions.set('sub_1', one);
  return { log, faults, subscriptions, fire: () => wake(expiryTimer(one)) };
}

test('a subscription whose feed nobody asks is deleted, is in the trail, and drains', async () => {
  const { fire, log, subscriptions, faults } = expiring('2026-11-14T09:59:59.000Z');
  expect(await fire()).toEqual([]);
  expect(log).toEqual([
    'sub_1 deleted',
    'sub_1 signalled 0',
    'deleteSubscription sub_1',
    'arm circuit timer 1 at 0',
  ]);
  expect(subscriptions.get('sub_1')).toMatchObject({ state: 'deleted', circuit: { state: 'draining' } });
  await fire();
  expect([log.slice(4), faults]).toEqual([['stale sub_1'], []]);
});

test('one whose end was put off meanwhile stays', async () => {
  const { fire, log, subscriptions } = expiring('2026-11-14T10:00:01.000Z');
  expect(await fire()).toEqual([]);
  expect([log, subscriptions.get('sub_1')?.state]).toEqual([['stale sub_1'], 'active']);
});
