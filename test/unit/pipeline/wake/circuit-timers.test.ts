import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { at, backlogOf, circuitTimer, cooledDown, draining, inBacklog, signalTimer, world } from './world.ts';

test('a drain timer writes the circuit, arms the next timer, then signals the ordering keys whose turn it is', async () => {
  const { wake, log, health, keys } = world({
    circuits: { sub_1: draining({ window: 2 }) },
    backlog: backlogOf(5),
  });
  await wake(circuitTimer());
  expect(log).toEqual([
    'sub_1 draining',
    'arm circuit timer 4 at 1000',
    'signal drain pay-0, drain pay-1',
    'sub_1 signalled 2',
  ]);
  expect(health('sub_1').circuit).toMatchObject({ window: 4, generation: 4, revision: 8 });
  expect([...keys.values()].map(({ check_at }) => check_at)).toEqual([
    at(120_000),
    at(120_000),
    at(-60_000),
    at(-60_000),
    at(-60_000),
  ]);
});

test('an ordering key that was signalled lately is left alone', async () => {
  const backlog = [inBacklog('pay-1', { check_at: at(1) }), inBacklog('pay-2')];
  const { wake, log } = world({ circuits: { sub_1: draining({ window: 2 }) }, backlog });
  await wake(circuitTimer());
  expect(log).toContain('signal drain pay-2');
});

test('an ordering key that another worker has moved on meanwhile is left to it', async () => {
  const { wake, log } = world({
    circuits: { sub_1: draining({ window: 2 }) },
    backlog: backlogOf(2),
    ports: (healthy) => ({
      moveCheck: async (key, to) => key.payment_id !== 'pay-0' && healthy.moveCheck(key, to),
    }),
  });
  await wake(circuitTimer());
  expect(log).toContain('signal drain pay-1');
});

test('probes are signalled even if the index was out of date: the circuit waits for them', async () => {
  const { wake, log, health } = world({
    circuits: { sub_1: cooledDown() },
    backlog: backlogOf(1),
    ports: () => ({ moveCheck: async () => false }),
  });
  await wake(circuitTimer());
  // 15 s for the signal and 10 s for the attempt.
  expect(log).toEqual([
    'sub_1 half_open',
    'arm circuit timer 4 at 25000',
    'signal probe pay-0',
    'sub_1 signalled 1',
  ]);
  expect(health('sub_1').circuit).toMatchObject({ probes: ['sub_1.pay-0'] });
});

test.each([
  ['of a subscription that is not there', {}, {}],
  ['that the circuit has left behind', { sub_1: draining() }, { generation: 2 }],
  ['of a circuit that needs none', { sub_1: { ...draining(), timer_at: undefined } }, {}],
])('a timer %s does nothing', async (_, circuits, timer) => {
  const { wake, log } = world({ circuits: JSON.parse(JSON.stringify(circuits)), backlog: backlogOf(1) });
  await expect(wake(circuitTimer(timer))).resolves.toEqual([]);
  expect(log).toEqual(['stale sub_1']);
});

test('a timer that fires twice acts once', async () => {
  const { wake, log } = world({ circuits: { sub_1: draining() }, backlog: backlogOf(1) });
  await expect(wake(circuitTimer(), circuitTimer())).resolves.toEqual([]);
  expect(log.filter((backlog) => backlog.startsWith('arm'))).toEqual(['arm circuit timer 4 at 1000']);
  expect(log).toContain('stale sub_1');
});

test('a change at the same moment does not stop the timers: the timer is applied to what is stored then', async () => {
  let isChanged = false;
  const one = world({
    circuits: { sub_1: draining({ window: 8 }) },
    backlog: backlogOf(9),
    ports: (healthy) => ({
      async backlog(...args) {
        const backlog = await healthy.backlog(...args);
        if (!isChanged) {
          isChanged = true;
          one.change('sub_1', draining({ window: 8, cause: 'crowded', revision: 8 }));
        }
        return backlog;
      },
    }),
  });
  await expect(one.wake(circuitTimer())).resolves.toEqual([]);
  expect(one.health('sub_1').circuit).toMatchObject({
    window: 16,
    generation: 4,
    revision: 9,
    cause: 'crowded',
  });
  expect(one.log).toContain('arm circuit timer 4 at 1000');
});

test('a circuit that changes again and again has its timer received again', async () => {
  const { wake, faults } = world({
    circuits: { sub_1: draining() },
    ports: () => ({ replaceEndpointHealth: async () => false }),
  });
  await expect(wake(circuitTimer())).resolves.toEqual(['0']);
  expect(faults).toEqual([
    new Error('subscription sub_1: another writer was faster each time, or there was no time left'),
  ]);
});

test('when the next timer cannot be armed the ordering keys are signalled all the same, and the spent timer is not received again', async () => {
  const { wake, log, faults } = world({
    circuits: { sub_1: draining() },
    backlog: backlogOf(1),
    ports: () => ({ arm: () => Promise.reject(new Error('no queue')) }),
  });
  await expect(wake(circuitTimer())).resolves.toEqual([]);
  expect(log).toContain('signal drain pay-0');
  expect(faults).toEqual([new Error('no queue')]);
});

test('a timer that is farther away than SQS delays anything is left to sweep', async () => {
  const probe_at = at(15 * 60_000 + 1);
  const { wake, log } = world({ circuits: { sub_1: cooledDown({ probe_at }) } });
  await wake(circuitTimer());
  expect(log).toEqual(['sub_1 open', 'sub_1 signalled 0']);
});

test('one ordering key that cannot be moved on, and one batch of signals that cannot be sent, stop no other', async () => {
  const { wake, log, faults } = world({
    circuits: { sub_1: draining({ window: 21 }) },
    backlog: backlogOf(21),
    ports: (healthy) => ({
      moveCheck: (key, to) =>
        key.payment_id === 'pay-3' ? Promise.reject(new Error('throttled')) : healthy.moveCheck(key, to),
      signal: (signals) =>
        signals.some(({ payment_id }) => payment_id === 'pay-10')
          ? Promise.reject(new Error('no queue'))
          : healthy.signal(signals),
    }),
  });
  await wake(circuitTimer());
  expect(log).toContain(
    'signal drain pay-0, drain pay-1, drain pay-2, drain pay-4, drain pay-5, drain pay-6, drain pay-7, drain pay-8, drain pay-9',
  );
  expect(log).toContain('signal drain pay-20');
  expect(log).toContain('sub_1 signalled 10');
  expect(faults).toEqual([new Error('throttled'), new Error('no queue')]);
});

test('what there is no time for is left to the next timer', async () => {
  const one = world({
    circuits: { sub_1: draining({ window: 120 }) },
    backlog: backlogOf(120),
    ports: (healthy) => ({
      async signal(signals) {
        one.pass(6_000);
        return healthy.signal(signals);
      },
    }),
  });
  await one.wake(circuitTimer());
  expect(one.log.at(-1)).toBe('sub_1 signalled 100');
  expect([...one.keys.values()].slice(100).map(({ check_at }) => check_at)).toEqual(
    Array(20).fill(at(-60_000)),
  );
});

test('a window is signalled side by side: one call after another would bound how fast a backlog drains', async () => {
  let underWay = 0;
  let maxUnderWay = 0;
  const { wake, log } = world({
    circuits: { sub_1: draining({ window: 100 }) },
    backlog: backlogOf(100),
    ports: (healthy) => ({
      async signal(signals) {
        underWay += 1;
        maxUnderWay = Math.max(maxUnderWay, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return healthy.signal(signals);
      },
    }),
  });
  await wake(circuitTimer());
  expect(maxUnderWay).toBe(10);
  expect(log.at(-1)).toBe('sub_1 signalled 100');
});

test('while more wait than may be under way, a drain polls between its timers, and signals those that move up', async () => {
  const seen = (first: number, last: number) => backlogOf(7).slice(first, last + 1);
  const lines = [seen(0, 2), seen(0, 2), seen(1, 3), seen(4, 6)];
  const { wake, log, faults } = world({
    circuits: { sub_1: draining({ window: 2 }) },
    backlog: backlogOf(7),
    lookAgainMs: 300,
    ports: () => ({ backlog: async () => lines.shift() ?? [] }),
  });
  await wake(circuitTimer());
  expect(log.filter((backlog) => backlog.startsWith('signal'))).toEqual([
    'signal drain pay-0, drain pay-1',
    'signal drain pay-2',
    'signal drain pay-4, drain pay-5',
  ]);
  expect(log.at(-1)).toBe('sub_1 signalled 5');
  expect(faults).toEqual([]);
});

test('a worker that was stopped while it polled leaves the rest to the next timer', async () => {
  const seen = (first: number, last: number) => backlogOf(4).slice(first, last + 1);
  const lines = [seen(0, 2), seen(1, 3)];
  const { wake, log, pass } = world({
    circuits: { sub_1: draining({ window: 2 }) },
    backlog: backlogOf(4),
    lookAgainMs: 300,
    ports: () => ({ backlog: async () => lines.shift() ?? [], after: async () => pass(1_000) }),
  });
  await wake(circuitTimer());
  expect(log.at(-1)).toBe('sub_1 signalled 2');
});

test('a backlog that fits into the window is read once', async () => {
  let looks = 0;
  const { wake } = world({
    circuits: { sub_1: draining({ window: 8 }) },
    backlog: backlogOf(8),
    lookAgainMs: 200,
    ports: (healthy) => ({
      backlog: (id, max) => {
        looks += 1;
        return healthy.backlog(id, max);
      },
    }),
  });
  await wake(circuitTimer());
  expect(looks).toBe(1);
});

describe('how many messages wait', () => {
  const counting = (circuits: Record<string, Circuit>, waiting: () => Promise<number>) => {
    const asked: unknown[][] = [];
    const one = world({
      circuits,
      ports: () => ({
        waiting: (...args) => {
          asked.push(args);
          return waiting();
        },
      }),
    });
    return { ...one, asked };
  };

  test('is counted by a circuit timer, as far as it matters, and kept in the circuit', async () => {
    const { wake, health, asked } = counting({ sub_1: draining() }, async () => 1_000);
    await wake(circuitTimer());
    expect(asked).toEqual([['sub_1', 1_000]]);
    expect(health('sub_1').circuit.backlog_size).toEqual({ counted_at: at(0), waiting: 1_000, since: at(0) });
  });

  test('is not counted again within a minute', async () => {
    const backlog = { counted_at: at(-59_000), waiting: 3 };
    const { wake, health, asked } = counting(
      { sub_1: { ...draining(), backlog_size: backlog } },
      async () => 1_000,
    );
    await wake(circuitTimer());
    expect(asked).toEqual([]);
    expect(health('sub_1').circuit.backlog_size).toEqual(backlog);
  });

  test('is counted once, however often a timer has to be retried', async () => {
    let refusals = 2;
    const asked: string[] = [];
    const { wake, log } = world({
      circuits: { sub_1: draining() },
      ports: (healthy) => ({
        waiting: async (id) => asked.push(id),
        replaceEndpointHealth: async (...args) => {
          refusals -= 1;
          return refusals < 0 && healthy.replaceEndpointHealth(...args);
        },
      }),
    });
    await wake(circuitTimer());
    expect(log).toContain('sub_1 draining');
    expect(asked).toEqual(['sub_1']);
  });

  test('stops no circuit timer when it cannot be counted', async () => {
    const { wake, log, faults, health } = counting({ sub_1: draining() }, () =>
      Promise.reject(new Error('no such index')),
    );
    await expect(wake(circuitTimer())).resolves.toEqual([]);
    expect(log).toContain('arm circuit timer 4 at 1000');
    expect(faults).toEqual([new Error('no such index')]);
    expect(health('sub_1').circuit.backlog_size).toBeUndefined();
  });
});

test('a drain does not linger where others may wait for its worker: the batch came full', async () => {
  let looks = 0;
  const { wake } = world({
    circuits: { sub_1: draining({ window: 2 }) },
    backlog: backlogOf(6),
    lookAgainMs: 200,
    ports: (healthy) => ({
      backlog: (id, max) => {
        looks += 1;
        return healthy.backlog(id, max);
      },
    }),
  });
  await wake(circuitTimer(), ...Array.from({ length: 9 }, (_, index) => signalTimer(`pay-${index}`)));
  expect(looks).toBe(1);
});

test('a timer whose calls stall is left to the next worker, and nothing is written', async () => {
  const one = world({
    circuits: { sub_1: draining() },
    ports: (healthy) => ({
      replaceEndpointHealth: async () => {
        one.pass(20_000);
        return false;
      },
      signal: healthy.signal,
    }),
  });
  await expect(one.wake(circuitTimer())).resolves.toEqual(['0']);
  expect(one.faults).toHaveLength(1);
  expect(one.log).toEqual([]);
});
