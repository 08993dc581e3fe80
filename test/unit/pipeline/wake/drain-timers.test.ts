import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import type { WakePorts } from '../../../../functions/pipeline/wake/ports.ts';
import { at, backlogOf, circuitTimer, cooledDown, draining, inBacklog, world } from './world.ts';

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

  test.each(asked)('goes on when nobody can say what it has to know: %s', async (port) => {
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

describe('probes go round the backlog', () => {
  const probe = async (probed: string | undefined, backlog = backlogOf(60)) => {
    const { wake, log } = world({
      circuits: { sub_1: cooledDown(probed === undefined ? {} : { probed }) },
      backlog,
    });
    await wake(circuitTimer());
    return log.find((entry) => entry.startsWith('signal'));
  };

  test('from the first one', async () => {
    expect(await probe(undefined)).toBe('signal probe pay-0');
  });

  test('to the one behind the last probe, however far back in the backlog', async () => {
    expect(await probe(`${at(-59_960)} sub_1.pay-40`)).toBe('signal probe pay-41');
  });

  test('and from the last one to the first again, though the last has kept its position', async () => {
    expect(await probe(`${at(-59_941)} sub_1.pay-59`)).toBe('signal probe pay-0');
  });

  test('also when those behind the last probe have left', async () => {
    expect(await probe(`${at(0)} sub_1.pay-99`)).toBe('signal probe pay-0');
  });

  test('one by one where several joined at the same time', async () => {
    const backlog = ['a', 'b', 'c'].map((payment) => inBacklog(payment));
    expect(await probe(`${at(-60_000)} sub_1.b`, backlog)).toBe('signal probe c');
    expect(await probe(`${at(-60_000)} sub_1.c`, backlog)).toBe('signal probe a');
  });

  test.each([
    ['all', () => at(-60_000)],
    ['all but the first', (number: number) => at(number === 0 ? -61_000 : -60_000)],
    ['a first and a second half', (number: number) => at(number < 100 ? -61_000 : -60_000)],
  ])(
    'to everybody, in whatever order the index has those who joined in one millisecond: %s',
    async (_, joinedAt) => {
      const payments = Array.from({ length: 200 }, (_, number) => number);
      // An order that is not that of their names.
      const backlog = payments.map((number) =>
        inBacklog(`pay-${(number * 73) % 200}`, { parked_at: joinedAt(number) }),
      );
      const signalled: string[] = [];
      let probed: string | undefined;
      for (const _ of payments) {
        const payment = (await probe(probed, backlog))?.replace('signal probe ', '') ?? '';
        signalled.push(payment);
        probed = `${backlog.find((key) => key.ordering_key === `sub_1.${payment}`)?.parked_at} sub_1.${payment}`;
      }
      expect(new Set(signalled).size).toBe(payments.length);
    },
  );
});
