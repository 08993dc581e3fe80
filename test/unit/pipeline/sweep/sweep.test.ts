import { aged, at, forgotten, gap, lostRecovery, nameOf, waiting, world } from './world.ts';

const MINUTE = 60_000;

/** Until all has happened that waits for nothing. */
const untilIdle = () => new Promise((resolve) => setImmediate(resolve));

test('what is overdue now is looked at; nothing overdue is a sweep that got through', async () => {
  const { sweep, log, reports } = world();
  await sweep();
  expect(log).toEqual(['look until 2026-11-14T10:00:00.000Z']);
  expect(reports).toEqual([{ found: 0, woken: 0, latestMs: 0, isComplete: true }]);
});

test('a forgotten ordering key has its check moved on by two minutes, and is signalled at once', async () => {
  const { sweep, log } = world({ pages: [[waiting('pay-1', -3 * MINUTE)]] });
  await sweep();
  expect(log.slice(1)).toEqual(['move pay-1 to 30000', 'arm resume pay-1 at 0', 'move pay-1 to 120000']);
});

test('an ordering key that was due too late gets a timer now, and is checked again two minutes after it is due', async () => {
  const { sweep, log } = world({ pages: [[waiting('pay-1', 14 * MINUTE)]] });
  await sweep();
  expect(log.slice(1)).toEqual([
    'move pay-1 to 30000',
    `arm resume pay-1 at ${14 * MINUTE}`,
    `move pay-1 to ${16 * MINUTE}`,
  ]);
});

test('an ordering key that is still due too late only has its check moved on', async () => {
  const { sweep, log } = world({ pages: [[waiting('pay-1', 20 * MINUTE)]] });
  await sweep();
  expect(log.slice(1)).toEqual([`move pay-1 to ${6 * MINUTE}`]);
});

test('no check is left where it is overdue again at once, whatever the numbers of a stage', async () => {
  const { sweep, log } = world({
    pages: [[waiting('pay-1', 16 * MINUTE)]],
    policy: { armedAheadMs: 60 * MINUTE },
  });
  await sweep();
  expect(log.slice(1)).toEqual(['move pay-1 to 1']);
});

test('an ordering key in the backlog with a message over age is signalled at once, and checked again in two minutes', async () => {
  const { sweep, log } = world({ pages: [[aged('pay-1')]] });
  await sweep();
  expect(log.slice(1)).toEqual(['move pay-1 to 30000', 'arm resume pay-1 at 0', 'move pay-1 to 120000']);
});

test('a circuit whose timer was lost gets one now, of the same generation', async () => {
  const { sweep, log } = world({ pages: [[forgotten('sub_1')]] });
  await sweep();
  expect(log.slice(1)).toEqual(['move sub_1 to 30000', 'arm circuit timer 9 at 0', 'move sub_1 to 120000']);
});

test('a recovery whose step was lost gets it now', async () => {
  const { sweep, log } = world({ pages: [[lostRecovery()]] });
  await sweep();
  expect(log.slice(1)).toEqual(['move sub_1 to 30000', 'arm step 4 of rec_1 at 0', 'move sub_1 to 120000']);
});

test('a payment with a gap whose timer was lost is looked into now', async () => {
  const { sweep, log } = world({ pages: [[gap('pay-1', -3 * MINUTE)]] });
  await sweep();
  expect(log.slice(1)).toEqual(['move pay-1 to 30000', 'arm gap pay-1 at 0', 'move pay-1 to 120000']);
});

test('a gap that ended too late for a timer gets one now, and one that still does only has its check moved on', async () => {
  const { sweep, log } = world({ pages: [[gap('pay-1', 14 * MINUTE), gap('pay-2', 20 * MINUTE)]] });
  await sweep();
  expect(log.slice(1)).toEqual([
    'move pay-1 to 30000',
    `move pay-2 to ${6 * MINUTE}`,
    `arm gap pay-1 at ${14 * MINUTE}`,
    `move pay-1 to ${16 * MINUTE}`,
  ]);
});

test('what another worker has taken meanwhile gets no timer', async () => {
  const { sweep, log, reports } = world({
    pages: [[waiting('pay-1', 0), waiting('pay-2', 0)]],
    ports: () => ({ moveCheck: async (one) => nameOf(one) === 'pay-2' }),
  });
  await sweep();
  expect(log.slice(1)).toEqual(['arm resume pay-2 at 0']);
  expect(reports).toMatchObject([{ found: 2, woken: 1, isComplete: true }]);
});

test('no timer is sent before its check moved; one that could not be moved further is found again soon', async () => {
  const { sweep, log, faults } = world({
    pages: [[waiting('pay-1', 0), waiting('pay-2', 0)]],
    ports: (healthy) => ({
      moveCheck: (one, to) =>
        log.includes('arm resume pay-2 at 0') && nameOf(one) === 'pay-1'
          ? Promise.reject(new Error('throttled'))
          : healthy.moveCheck(one, to),
    }),
  });
  await sweep();
  expect(log.slice(1)).toEqual([
    'move pay-1 to 30000',
    'move pay-2 to 30000',
    'arm resume pay-1 at 0',
    'arm resume pay-2 at 0',
    'move pay-2 to 120000',
  ]);
  expect(faults).toEqual([['pay-1', new Error('throttled')]]);
});

test.each([
  ['ordering key', waiting('one', -3 * MINUTE)],
  ['ordering key due later', waiting('one', 14 * MINUTE)],
  ['ordering key over age', aged('one')],
  ['circuit', forgotten('one')],
  ['recovery', lostRecovery()],
  ['gap', gap('one', 0)],
])('if sweep dies before the timer of a %s is taken, the next one finds it', async (_, overdue) => {
  const { sweep, log } = world({ pages: [[overdue]], ports: () => ({ arm: () => new Promise(() => {}) }) });
  void sweep();
  await untilIdle();
  expect(log.slice(1)).toEqual([expect.stringMatching(/^move \S+ to 30000$/)]);
});

test('one that fails stops no other', async () => {
  const { sweep, log, faults, reports } = world({
    pages: [[waiting('pay-1', 0), waiting('pay-2', 0)], [forgotten('sub_1')]],
    ports: (healthy) => ({
      moveCheck: (one, to) =>
        nameOf(one) === 'pay-1' ? Promise.reject(new Error('throttled')) : healthy.moveCheck(one, to),
    }),
  });
  await sweep();
  expect(log).toContain('arm resume pay-2 at 0');
  expect(log).toContain('arm circuit timer 9 at 0');
  expect(faults).toEqual([['pay-1', new Error('throttled')]]);
  expect(reports).toMatchObject([{ found: 3, woken: 2, isComplete: true }]);
});

test('timers that could not be sent are internal errors; the next ones are sent', async () => {
  const { sweep, log, faults, reports } = world({
    pages: [[waiting('pay-1', 0)], [waiting('pay-2', 0)]],
    ports: (healthy) => ({
      arm: ([first, ...more]) =>
        first?.timer.kind === 'signal' && first.timer.payment_id === 'pay-1'
          ? Promise.reject(new Error('no queue'))
          : healthy.arm(first === undefined ? more : [first, ...more]),
    }),
  });
  await sweep();
  expect(faults).toEqual([['pay-1', new Error('no queue')]]);
  expect(log).toContain('arm resume pay-2 at 0');
  expect(reports).toMatchObject([{ found: 2, woken: 1 }]);
});

test('nothing is started after 50 seconds, and that does not count as having got through', async () => {
  const page = (name: string) => Array.from({ length: 60 }, (_, index) => waiting(`${name}-${index}`, 0));
  const one = world({
    pages: [page('a'), page('b')],
    ports: (healthy) => ({
      async arm(armings) {
        one.pass(25_000);
        return healthy.arm(armings);
      },
    }),
  });
  await one.sweep();
  expect(one.reports).toMatchObject([{ found: 60, woken: 60, isComplete: false }]);
  expect(one.log.filter((backlog) => backlog.startsWith('move b'))).toEqual([]);
});

test('how late the latest was is told', async () => {
  const { sweep, reports } = world({
    pages: [
      [waiting('pay-1', 0, at(-500))],
      [waiting('pay-2', 0, at(-90_000)), waiting('pay-3', 0, at(-20))],
    ],
  });
  await sweep();
  expect(reports).toMatchObject([{ latestMs: 90_000 }]);
});

test('an index that cannot be read is a sweep that failed, with what it had done until then', async () => {
  const { sweep, reports } = world({
    ports: () => ({
      async *overdue() {
        yield [waiting('pay-1', 0)];
        throw new Error('no table');
      },
    }),
  });
  await expect(sweep()).rejects.toThrow('no table');
  expect(reports).toMatchObject([{ found: 1, woken: 1, isComplete: false }]);
});
