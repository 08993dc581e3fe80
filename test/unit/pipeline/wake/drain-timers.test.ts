import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import type { InBacklog } from '../../../../functions/core/ordering/circuit-timer.ts';
import type { WakePorts } from '../../../../functions/pipeline/wake/ports.ts';
import { at, backlogOf, circuitTimer, cooledDown, draining, inBacklog, signalTimer, world } from './world.ts';

describe('a drain timer', () => {
  test('sets the window by what was answered since the last one, and keeps what it has read', async () => {
    const { wake, health } = world({
      circuits: { sub_1: draining({ window: 8 }) },
      answers: { succeeded: 3, unwell: 4 },
    });
    await wake(circuitTimer());
    const answers = { succeeded: 3, refused: 0, overloaded: 0, unwell: 4 };
    expect(health('sub_1').circuit).toMatchObject({ window: 4, answers });
  });

  test('opens the circuit when all have failed, and signals nothing', async () => {
    const { wake, health, log } = world({
      circuits: { sub_1: draining({ window: 2 }) },
      backlog: backlogOf(5),
      answers: { unwell: 5 },
    });
    await wake(circuitTimer());
    expect(health('sub_1').circuit).toMatchObject({ state: 'open', cool_down_ms: 1_000 });
    expect(log).toEqual(['sub_1 open', 'arm circuit timer 4 at 1000', 'sub_1 signalled 0']);
  });

  test('has a window no wider than its share of all drains', async () => {
    const { wake, health } = world({
      circuits: { sub_1: draining({ window: 64 }) },
      ports: () => ({ drains: async () => 100 }),
    });
    await wake(circuitTimer());
    expect(health('sub_1').circuit).toMatchObject({ window: 20 });
  });

  test('signals nothing while the stage has no room and nothing was answered', async () => {
    const { wake, health, log } = world({
      circuits: { sub_1: draining({ window: 2 }) },
      backlog: backlogOf(5),
      answers: {},
      lookAgainMs: 200,
      ports: () => ({ slowAttempts: async () => ({ own: 0, all: 250 }) }),
    });
    await wake(circuitTimer());
    expect(health('sub_1').circuit).toMatchObject({ window: 2, waits_for_room: true });
    expect(log.at(-1)).toBe('sub_1 signalled 0');
  });

  const asked: readonly (keyof WakePorts)[] = ['drains', 'answers', 'slowAttempts'];

  test('reads once what it needs, however often it has to be retried', async () => {
    let refusals = 2;
    const calls: string[] = [];
    const called = <Answer>(name: string, answer: Answer) => {
      calls.push(name);
      return answer;
    };
    const { wake, log } = world({
      circuits: { sub_1: draining() },
      ports: (healthy) => ({
        drains: () => called('drains', healthy.drains()),
        answers: (id) => called(`answers ${id}`, healthy.answers(id)),
        slowAttempts: (id) => called(`slowAttempts ${id}`, healthy.slowAttempts(id)),
        replaceEndpointHealth: async (...args) => {
          refusals -= 1;
          return refusals < 0 && healthy.replaceEndpointHealth(...args);
        },
      }),
    });
    await wake(circuitTimer());
    expect(log).toContain('sub_1 draining');
    expect(calls).toEqual(['drains', 'answers sub_1', 'slowAttempts sub_1']);
  });

  test.each(asked)('continues when nobody can say what it has to know: %s', async (port) => {
    const { wake, log, faults, health } = world({
      circuits: { sub_1: draining({ window: 4 }) },
      backlog: backlogOf(1),
      ports: () => ({ [port]: () => Promise.reject(new Error('throttled')) }),
    });
    await expect(wake(circuitTimer())).resolves.toEqual([]);
    expect(log).toEqual([
      'sub_1 draining',
      'arm circuit timer 4 at 1000',
      'signal drain pay-0',
      'sub_1 signalled 1',
    ]);
    expect(faults).toEqual([new Error('throttled')]);
    // Without its answers, or its share, a window grows no wider.
    expect(health('sub_1').circuit).toMatchObject({ window: port === 'slowAttempts' ? 8 : 4 });
  });

  test.each<[string, Circuit, object]>([
    ['that is open', cooledDown(), {}],
    ['of a subscription that is deleted', draining(), { state: 'deleted' }],
  ])('asks nothing of a circuit %s', async (_, circuit, over) => {
    const forbidden = () => Promise.reject(new Error('asked'));
    const { wake, faults, subscriptions } = world({
      circuits: { sub_1: circuit },
      backlog: backlogOf(1),
      ports: () => ({ drains: forbidden, answers: forbidden, slowAttempts: forbidden }),
    });
    subscriptions.set('sub_1', { ...subscriptions.get('sub_1'), ...over } as never);
    await expect(wake(circuitTimer())).resolves.toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe('probes come from all over the backlog', () => {
  const probes = async (backlog: readonly InBacklog[]) => {
    const circuit = cooledDown({ in_trouble_since: at(-3_600_000) });
    const { wake, log } = world({ circuits: { sub_1: circuit }, backlog });
    await wake(circuitTimer());
    const signals = log.find((entry) => entry.startsWith('signal')) ?? '';
    return signals.replace('signal ', '').split(', ');
  };

  test('five at a time, or as many as there are', async () => {
    expect(await probes(backlogOf(60))).toHaveLength(5);
    expect((await probes(backlogOf(2))).toSorted()).toEqual(['probe pay-0', 'probe pay-1']);
  });

  test('from its end, its beginning, and between, however long the trouble has lasted', async () => {
    const numbers = (await probes(backlogOf(1_000))).map((probe) => Number(probe.replace('probe pay-', '')));
    expect(numbers.some((number) => number < 25)).toBe(true);
    expect(numbers.some((number) => number >= 975)).toBe(true);
    expect(numbers.some((number) => number >= 25 && number < 975)).toBe(true);
  });

  test('from the middle of what joined within a second, though one joined an hour later', async () => {
    const backlog = [...backlogOf(90), inBacklog('pay-90', { backlogged_at: at(-1) })];
    const early = backlog.map((key, index) =>
      index < 90 ? { ...key, backlogged_at: at(index - 3_600_000) } : key,
    );
    const numbers = (await probes(early)).map((probe) => Number(probe.replace('probe pay-', '')));
    expect(numbers.filter((number) => number >= 25 && number < 66)).not.toEqual([]);
  });

  test('also where all joined in one millisecond', async () => {
    expect(await probes(Array.from({ length: 60 }, (_, index) => inBacklog(`pay-${index}`)))).toHaveLength(5);
  });
});

describe('a drain in which attempts fail', () => {
  test('takes half of its window from elsewhere than the head', async () => {
    const circuit = draining({ window: 8, spreads: true, in_trouble_since: at(-60_000) });
    const { wake, log } = world({
      circuits: { sub_1: circuit },
      backlog: backlogOf(1_000),
      answers: { succeeded: 1, unwell: 1 },
    });
    await wake(circuitTimer());
    const signals = log.find((entry) => entry.startsWith('signal')) ?? '';
    const numbers = [...signals.matchAll(/pay-(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toHaveLength(8);
    expect(numbers.filter((number) => number < 4)).toHaveLength(4);
  });

  test('reads no more than the head otherwise', async () => {
    const forbidden = () => Promise.reject(new Error('asked'));
    const { wake, faults } = world({
      circuits: { sub_1: draining() },
      backlog: backlogOf(1),
      ports: () => ({ newestOfBacklog: forbidden }),
    });
    await wake(circuitTimer());
    expect(faults).toEqual([]);
  });
});

describe('an overloaded endpoint gets what its rate allows', () => {
  test('spread over the second', async () => {
    const { wake, log } = world({
      circuits: { sub_1: draining({ rate: 10, window: 50, calm_timers: 0 }) },
      lookAgainMs: 200,
      ports: () => ({ backlog: async () => backlogOf(20), moveCheck: async () => true }),
    });
    await wake(circuitTimer());
    const each = log.filter((entry) => entry.startsWith('signal')).map((entry) => entry.split(', ').length);
    expect(each).toEqual([2, 2, 2, 2, 2]);
  });

  test('at once where other timers wait for this worker', async () => {
    const { wake, log } = world({
      circuits: { sub_1: draining({ rate: 10, window: 50, calm_timers: 0 }) },
      backlog: backlogOf(100),
      lookAgainMs: 200,
    });
    await wake(circuitTimer(), ...Array.from({ length: 9 }, () => signalTimer('pay-x')));
    const drained = log.filter((entry) => entry.startsWith('signal drain'));
    expect(drained.map((entry) => entry.split(', ').length)).toEqual([10]);
  });
});
