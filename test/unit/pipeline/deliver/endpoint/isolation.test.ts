import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { RefusedError } from '../../../../../functions/core/errors/refused-error.ts';
import type { Outcome } from '../../../../../functions/core/message/ports.ts';
import { deliver } from '../../../../../functions/pipeline/deliver/deliver.ts';
import type { Incoming } from '../../../../../functions/pipeline/deliver/ports.ts';
import { message, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { BUSY, event, OK, settle, signalled, world } from '../world.ts';

const of = (payment_id: string, number = 1) => event(`${payment_id}${number}`, { payment_id });
const outcomesOf = (outcomes: readonly Outcome[], eventId: string) =>
  outcomes.filter(({ record }) => record.event_id === eventId);

/** Runs with a clock that moves only while something waits. */
function patiently({ ports }: Pick<ReturnType<typeof world>, 'ports'>, ...incoming: Incoming[]) {
  let nowMs = TEN_O_CLOCK_MS;
  const after = async (ms: number) => {
    nowMs += ms;
    await settle();
  };
  return deliver(incoming, { ...ports, now: () => nowMs, after }, DELIVERY_POLICY);
}

describe('what could not be read just now', () => {
  test.each([
    ['subscription', 'sub_1'],
    ['key', 'sub_1.a'],
  ])('brings back all records of its group, unsent, and no other: a %s', async (_, name) => {
    const { run, log } = world({ untaken: [name] });
    const other = event('b1', { payment_id: 'b', subscription_id: 'sub_2' });
    expect(await run(of('a', 1), other, of('a', 2))).toEqual(['record of a1', 'record of a2']);
    expect(log).toEqual(['give back record of a1, record of a2', 'post b1', 'save b1']);
  });

  test('is given back while other endpoints have yet to answer, but for what was sent', async () => {
    let answer = (_: typeof OK) => {};
    const { run, log } = world({
      untaken: [message({ event_id: 'a2', payment_id: 'a' }).message_id],
      answer: (id) =>
        id === 'b1'
          ? new Promise((resolve) => {
              answer = resolve;
            })
          : OK,
    });
    const running = run(of('a', 1), of('a', 2), of('b'), of('a', 3));
    await settle();
    expect(log).toEqual(['post a1', 'post b1', 'give back record of a2, record of a3']);
    answer(OK);
    expect(await running).toEqual(['record of a2', 'record of a3']);
  });

  test('brings back its record and what is behind it in its group: a message', async () => {
    const { run, log } = world({ untaken: [message({ event_id: 'a2', payment_id: 'a' }).message_id] });
    expect(await run(of('a', 1), of('a', 2), of('b'), of('a', 3))).toEqual(['record of a2', 'record of a3']);
    expect(log.filter((backlog) => backlog.startsWith('post'))).toEqual(['post a1', 'post b1']);
  });

  test('queues what is before it when the ordering key is blocked, and nothing behind it: a resource', async () => {
    const { run, waiting } = world({ untaken: ['bakery#a#a3'], answer: () => BUSY });
    const large = event('a3', { payment_id: 'a', resource: undefined });
    expect(await run(of('a', 1), of('a', 2), large, of('a', 4))).toEqual(['record of a3', 'record of a4']);
    expect(waiting('sub_1.a')).toEqual(['a1', 'a2']);
  });

  test('keeps an ordering key from being resumed on half of what it takes', async () => {
    const made = world({ answer: () => BUSY });
    await made.run(of('a'));
    const { lookUp } = made.ports;
    made.ports.lookUp = async (wanted) => ({ ...(await lookUp(wanted)), untaken: new Set(['sub_1']) });
    made.pass(60_000);
    expect(await made.run(signalled('resume', { payment_id: 'a' }))).toEqual(['signal of a']);
    expect(made.posts).toHaveLength(1);
  });

  test('is no reason to sign with nothing, or to take a subscription for deleted', async () => {
    const made = world();
    const { lookUp } = made.ports;
    let calls = 0;
    made.ports.lookUp = async (wanted) => {
      calls += 1;
      const found = await lookUp(wanted);
      return calls === 1
        ? { ...found, secrets: new Map() }
        : { ...found, subscriptions: new Map(), untaken: new Set(['sub_1']) };
    };
    expect(await made.run(of('a'))).toEqual(['record of a1']);
    expect([made.posts, made.keys.size, made.records.size]).toEqual([[], 0, 0]);
  });
});

test('a look-up that fails for one group brings back its records alone', async () => {
  const made = world();
  const { lookUp } = made.ports;
  made.ports.lookUp = async (wanted) => {
    if (wanted.keys.includes('sub_1.a')) throw new Error('cannot be looked up');
    return lookUp(wanted);
  };
  expect(await made.run(of('a'), of('b'), of('c'))).toEqual(['record of a1']);
  expect([made.of('b1')?.state, made.of('c1')?.state]).toEqual(['succeeded', 'succeeded']);
  expect(made.faults.map(String)).toContain('Error: cannot be looked up');
});

describe('an outcome that is not written', () => {
  test('for the moment is retried; its neighbours are released meanwhile, and nothing is sent twice', async () => {
    let tries = 0;
    const made = world({
      save: async (outcomes) => {
        tries += 1;
        return tries < 3 ? { untaken: new Set(outcomesOf(outcomes, 'a1')) } : {};
      },
    });
    expect(await patiently(made, of('a'), of('b'))).toEqual([]);
    expect(made.log).toEqual([
      'post a1',
      'post b1',
      'save b1',
      'acknowledge b1',
      'save a1',
      'acknowledge a1',
    ]);
  });

  test('before time runs out brings back its record and what is behind it in its group, and no other', async () => {
    const made = world({ save: async (outcomes) => ({ untaken: new Set(outcomesOf(outcomes, 'a1')) }) });
    expect(await patiently(made, of('a', 1), of('b'), of('a', 2))).toEqual(['record of a1', 'record of a2']);
    expect(made.of('b1')?.state).toBe('succeeded');
  });

  test('ever, since the store refuses it, is dead-lettered with the reason; all else continues and nothing is sent twice', async () => {
    const made = world({
      save: async (outcomes) => ({
        refused: new Map(outcomesOf(outcomes, 'a1').map((outcome) => [outcome, 'ValidationException: odd'])),
      }),
    });
    const batch = [of('a', 1), of('b'), of('a', 2)];
    expect(await made.run(...batch)).toEqual([]);
    expect(made.deadRecords).toEqual([
      { record: batch[0], reason: 'unstorable', explanation: 'ValidationException: odd' },
    ]);
    expect(made.log).toContain('dead-lettered a1: unstorable');
    expect(made.posts).toHaveLength(3);
    expect([made.of('a1'), made.of('a2')?.state, made.of('b1')?.state]).toEqual([
      undefined,
      'succeeded',
      'succeeded',
    ]);
  });

  test('and cannot be dead-lettered either is received again, and no other', async () => {
    const made = world({
      save: async (outcomes) => ({
        refused: new Map(outcomesOf(outcomes, 'a1').map((outcome) => [outcome, 'odd'])),
      }),
    });
    made.ports.deadLetter = async () => {
      throw new Error('no dead letters');
    };
    expect(await patiently(made, of('a'), of('b'))).toEqual(['record of a1']);
  });
});

test('of messages that are queued together the store refuses one: that one is dead-lettered, the others wait', async () => {
  const made = world({
    answer: () => BUSY,
    commit: async ({ outcomes }) => {
      if (outcomes.some(({ record }) => record.event_id === 'a3')) throw new RefusedError('odd');
      return undefined;
    },
  });
  expect(await made.run(of('a', 1), of('a', 2), of('a', 3), of('a', 4))).toEqual([]);
  expect(made.waiting('sub_1.a')).toEqual(['a1', 'a2', 'a4']);
  expect(made.deadRecords.map(({ record, reason }) => [record.recordId, reason])).toEqual([
    ['record of a3', 'unstorable'],
  ]);
});

test('a waiting message whose end the store refuses waits for an operator: it is not sent again by itself', async () => {
  let answer = BUSY;
  const made = world({
    answer: () => answer,
    commit: async ({ outcomes }) => {
      if (outcomes.some(({ record }) => record.state === 'succeeded')) throw new RefusedError('odd');
      return undefined;
    },
  });
  await made.run(of('a'));
  answer = OK;
  made.pass(60_000);
  expect(await made.run(signalled('resume', { payment_id: 'a' }))).toEqual([]);
  expect(made.keys.get('sub_1.a')).toMatchObject({
    state: 'stuck',
    explanation: 'its record cannot be stored: odd',
  });
  expect(await made.run(signalled('resume', { payment_id: 'a' }))).toEqual([]);
  expect(made.posts).toHaveLength(2);
});
