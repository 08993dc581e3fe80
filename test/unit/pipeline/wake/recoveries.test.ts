import { newRecovery, recoveryTimer, stoppedRecovery } from '../../../../functions/core/message/recovery.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { at, circuitTimer, draining, pastMessage, world } from './world.ts';

const recovery = newRecovery({
  ...{ service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1' },
  ...{ since: at(-60_000), until: at(0), started_at: at(0) },
});
const timer = recoveryTimer(recovery);
const history = [
  pastMessage(1, -50_000, { payment_id: 'pay-1' }),
  pastMessage(2, -40_000, { payment_id: 'pay-1', state: 'succeeded' }),
  pastMessage(3, -30_000, { payment_id: 'pay-2' }),
  pastMessage(4, -20_000, { payment_id: 'pay-1' }),
];

/** A subscription that is there, and its recovery. */
const given = (over: Parameters<typeof world>[0] = {}) =>
  world({ circuits: { sub_1: draining() }, recovery, history, ...over });

test('a step asks for what ended, each payment in order and one at a time, and then is written; the last one ends it', async () => {
  const { wake, log, recoveries } = given();
  await expect(wake(timer)).resolves.toEqual([]);
  expect(log).toEqual([
    'signal resend msg_1, resend msg_3',
    'signal resend msg_4',
    'rec_1 done 1',
    'rec_1 resent 3',
  ]);
  expect(recoveries.get('sub_1')).toMatchObject({ examined_count: 4, resent_count: 3, ended_at: at(0) });
});

test('while more is left the next step follows a second later', async () => {
  const { wake, log } = given({ pageSize: 2 });
  await wake(timer);
  expect(log).toEqual([
    'signal resend msg_1',
    'rec_1 running 1',
    'rec_1 resent 1',
    'arm step 1 of rec_1 at 1000',
  ]);
  log.length = 0;
  await wake({ ...timer, step: 1 });
  expect(log).toEqual(['signal resend msg_3, resend msg_4', 'rec_1 done 2', 'rec_1 resent 2']);
});

test('recoveries of a service that run at the same time share what is sent in a second', async () => {
  const asked: string[] = [];
  const { wake, log } = given({
    ports: () => ({
      async recovering(serviceId) {
        asked.push(serviceId);
        return 50;
      },
    }),
  });
  await wake(timer);
  expect(asked).toEqual(['bakery']);
  expect(log[0]).toBe('signal resend msg_1, resend msg_3');
  expect(log).toContain('rec_1 running 1');
});

test('with a filter a step reads what messages say, and sends what it takes', async () => {
  const filter = JSON.stringify({ resource: { amount: [{ numeric: ['>=', 100] }] } });
  const { wake, log } = given({
    recovery: { ...recovery, filter },
    amounts: { msg_1: 99, msg_2: 500, msg_3: 100 },
  });
  await expect(wake(timer)).resolves.toEqual([]);
  expect(log).toEqual(['signal resend msg_3', 'rec_1 done 1', 'rec_1 resent 1']);
});

test('stopped during a step, it ends with that, and what the step has sent counts', async () => {
  const { wake, log, recoveries } = given({
    pageSize: 2,
    ports: (healthy) => ({
      async signal(signals) {
        recoveries.set('sub_1', stoppedRecovery(recovery, TEN_O_CLOCK_MS));
        return healthy.signal(signals);
      },
    }),
  });
  await expect(wake(timer)).resolves.toEqual([]);
  expect(log).toEqual(['signal resend msg_1', 'rec_1 stopped 2', 'stale sub_1']);
  expect(recoveries.get('sub_1')).toMatchObject({ state: 'stopped', examined_count: 2, resent_count: 1 });
  log.length = 0;
  await expect(wake({ ...timer, step: 1 })).resolves.toEqual([]);
  expect(log).toEqual(['stale sub_1']);
});

test('only messages of its span are looked at', async () => {
  const over = {
    recovery: { ...recovery, since: at(-50_000), continue_at: at(-40_000), until: at(-20_000) },
  };
  const { wake, log } = given(over);
  await wake(timer);
  expect(log[0]).toBe('signal resend msg_3');
});

test.each([
  ['an earlier step', { ...recovery, step: 1 }],
  ['an earlier recovery', { ...recovery, recovery_id: 'rec_2' }],
  ['one that has ended', { ...recovery, state: 'done' as const }],
])('a timer of %s does nothing', async (_, known) => {
  const { wake, log } = given({ recovery: known });
  await expect(wake(timer)).resolves.toEqual([]);
  expect(log).toEqual(['stale sub_1']);
});

test('a timer of a recovery that is not there does nothing', async () => {
  const { wake, log } = world();
  await wake(timer);
  expect(log).toEqual(['stale sub_1']);
});

test.each([
  [
    'deleted',
    (subscriptions: Map<string, Subscription>) => {
      subscriptions.set('sub_1', { ...subscriptions.get('sub_1')!, state: 'deleted' });
    },
  ],
  ['gone', (subscriptions: Map<string, Subscription>) => subscriptions.clear()],
])('it stops when its subscription is %s', async (_, end) => {
  const { wake, log, subscriptions } = given();
  end(subscriptions);
  await wake(timer);
  expect(log).toEqual(['rec_1 stopped 1', 'rec_1 resent 0']);
});

test('a step of which not all was taken is not written and is received again, and none overtakes what was not taken', async () => {
  let isRefused = true;
  const { wake, log, faults, recoveries } = given({
    ports: (healthy) => ({
      signal: async (signals) => {
        await healthy.signal(signals);
        return isRefused ? signals.filter(({ message_id }) => message_id === 'msg_1') : [];
      },
    }),
  });
  await expect(wake(timer)).resolves.toEqual(['0']);
  expect(log).toEqual(['signal resend msg_1, resend msg_3']);
  expect(faults).toEqual([new Error('recovery rec_1: 2 of 3 signals were not taken')]);
  expect(recoveries.get('sub_1')).toEqual(recovery);

  isRefused = false;
  await expect(wake(timer)).resolves.toEqual([]);
  expect(log.slice(1)).toEqual([
    'signal resend msg_1, resend msg_3',
    'signal resend msg_4',
    'rec_1 done 1',
    'rec_1 resent 3',
  ]);
});

test('a step for which there is no time left is received again', async () => {
  const one = given({
    ports: (healthy) => ({
      signal: (signals) => {
        one.pass(12_000);
        return healthy.signal(signals);
      },
    }),
  });
  await expect(one.wake(timer)).resolves.toEqual(['0']);
  expect(one.log).toEqual(['signal resend msg_1, resend msg_3']);
});

test('of two who carry out the same step one continues', async () => {
  const { wake, log } = given({ pageSize: 2 });
  await expect(wake(timer, timer)).resolves.toEqual([]);
  expect(log.filter((backlog) => backlog.startsWith('arm'))).toEqual(['arm step 1 of rec_1 at 1000']);
  expect(log).toContain('stale sub_1');
});

test('a next step that cannot be armed is left to sweep', async () => {
  const { wake, faults, recoveries } = given({
    pageSize: 2,
    ports: () => ({ arm: () => Promise.reject(new Error('no queue')) }),
  });
  await expect(wake(timer)).resolves.toEqual([]);
  expect(faults).toEqual([new Error('no queue')]);
  expect(recoveries.get('sub_1')).toMatchObject({ state: 'running', step: 1 });
});

test('a history that cannot be read brings the step back, and delays no circuit timer', async () => {
  const { wake, log } = given({
    ports: () => ({ pastMessages: () => Promise.reject(new Error('throttled')) }),
  });
  await expect(wake(timer, circuitTimer())).resolves.toEqual(['0']);
  expect(log).toContain('arm circuit timer 4 at 1000');
});
