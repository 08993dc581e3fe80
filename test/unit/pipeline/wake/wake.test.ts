import { at, circuitTimer, draining, gapTimer, inBacklog, signalTimer, world } from './world.ts';

test('timers of ordering keys become signals, and their records go', async () => {
  const { wake, log } = world();
  await expect(wake(signalTimer('pay-1'), signalTimer('pay-2'))).resolves.toEqual([]);
  expect(log).toEqual(['signal resume pay-1, resume pay-2']);
});

test('timers of payments with a gap become signals to them, beside those of ordering keys', async () => {
  const { wake, log } = world();
  await expect(wake(gapTimer('pay-1'), signalTimer('pay-2'), gapTimer('pay-3'))).resolves.toEqual([]);
  expect(log).toEqual(['signal resume pay-2', 'look into pay-1, pay-3']);
});

test('a gap signal says when it was sent', async () => {
  const sent: unknown[] = [];
  const { wake } = world({
    ports: () => ({
      signalGaps: async (signals) => {
        sent.push(...signals);
        return [];
      },
    }),
  });
  await wake(gapTimer('pay-1'));
  expect(sent).toMatchObject([{ payment_id: 'pay-1', asked_at: at(0) }]);
});

test('a gap signal that the queue did not take is received again, and it alone', async () => {
  const { wake } = world({ ports: () => ({ signalGaps: async (signals) => signals.slice(1) }) });
  await expect(wake(gapTimer('pay-1'), signalTimer('pay-2'), gapTimer('pay-3'))).resolves.toEqual(['2']);
});

test('a signal that the queue did not take is received again, and it alone', async () => {
  const { wake } = world({ ports: () => ({ signal: async ([, second]) => (second ? [second] : []) }) });
  await expect(wake(signalTimer('pay-1'), signalTimer('pay-2'), signalTimer('pay-3'))).resolves.toEqual([
    '1',
  ]);
});

test('a queue that cannot be reached brings back all signals, and no circuit timer', async () => {
  const { wake, faults, log } = world({
    circuits: { sub_1: draining() },
    ports: () => ({ signal: () => Promise.reject(new Error('no queue')) }),
  });
  await expect(wake(signalTimer('pay-1'), circuitTimer(), signalTimer('pay-2'))).resolves.toEqual(['0', '2']);
  expect(faults).toEqual([new Error('no queue'), new Error('no queue')]);
  expect(log).toContain('arm circuit timer 4 at 1000');
});

test('a signal that the queue refuses brings back its own timer, and no other', async () => {
  const sent: string[] = [];
  const { wake } = world({
    ports: () => ({
      async signal(signals) {
        if (signals.some(({ payment_id }) => payment_id === 'pay-1')) throw new Error('not this one');
        sent.push(...signals.map(({ payment_id }) => payment_id));
        return [];
      },
    }),
  });
  expect(await wake(signalTimer('pay-1'), signalTimer('pay-2'), signalTimer('pay-3'))).toEqual(['0']);
  expect(sent).toEqual(['pay-2', 'pay-3']);
});

test('circuit timers are carried out at the same time: one whose table hangs delays no other, and one that fails is received again alone', async () => {
  let answer = () => {};
  const { wake, log } = world({
    circuits: { sub_1: draining(), sub_2: draining(), sub_3: draining() },
    backlog: [
      inBacklog('pay-1'),
      inBacklog('pay-2', { subscription_id: 'sub_2' }),
      inBacklog('pay-3', { subscription_id: 'sub_3' }),
    ],
    ports: (healthy) => ({
      async backlog(subscriptionId, max) {
        if (subscriptionId === 'sub_1') {
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
        }
        return subscriptionId === 'sub_2'
          ? Promise.reject(new Error('throttled'))
          : healthy.backlog(subscriptionId, max);
      },
    }),
  });
  const again = wake(
    ...['sub_1', 'sub_2', 'sub_3'].map((subscription_id) => circuitTimer({ subscription_id })),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([
    'sub_3 draining',
    'arm circuit timer 4 at 1000',
    'signal drain pay-3',
    'sub_3 signalled 1',
  ]);
  answer();
  await expect(again).resolves.toEqual(['1']);
  expect(log).toContain('signal drain pay-1');
});

test('a batch without a signal sends none', async () => {
  const { wake, log } = world();
  await expect(wake(circuitTimer())).resolves.toEqual([]);
  expect(log).toEqual(['stale sub_1']);
});
