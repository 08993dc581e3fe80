import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { PING_BYTES, pingOf } from '../../../../../functions/core/message/ping.ts';
import { OvertakenError } from '../../../../../functions/pipeline/deliver/ordering-key/ordering-key-session.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { draining } from '../../../core/circuit/given/circuits.ts';
import { asReceived, event, OK, settle, signalled, world } from '../world.ts';

const TIMEOUT: AttemptResult = {
  failure_class: 'timeout',
  failure_reason: 'no answer within 10000 ms',
  duration_ms: 10_000,
};

/** A world whose receiver answers, for all payments alike, when the test has it answer. */
function hanging(over: Parameters<typeof world>[0] = {}) {
  const answer = Promise.withResolvers<AttemptResult>();
  const made = world({ answer: () => answer.promise, ...over });
  /** Lets this many ms pass, and the batch look at itself. */
  const look = async (ms: number) => {
    await settle();
    made.pass(ms);
    made.elapse();
    await settle();
  };
  return {
    ...made,
    answer: answer.resolve,
    look,
    /** Moves on to the moment at which the slow attempts of the next second are counted. */
    nextSecond: async () => {
      await look(250);
      await look(750);
    },
    circuit: () => made.subscriptions.get('sub_1')?.circuit,
  };
}
const payments = (count: number) =>
  Array.from({ length: count }, (_, index) => event(`e${index}`, { payment_id: `pay-${index}` }));
/** The stage has this many slow attempts besides. */
const besides = (others: number) => ({
  slow: (own: ReadonlyMap<string, number>) =>
    new Map([...own].map(([id, count]) => [id, { own: count, all: count + others }])),
});

test('attempts that have been under way for half a second are slow, and counted for each subscription', async () => {
  const { run, look, answer, saidSlow } = hanging();
  const others = ['x', 'y'].map((payment_id) => event(payment_id, { payment_id, subscription_id: 'sub_2' }));
  await look(501);
  const running = run(...payments(3), ...others);
  await look(250);
  await look(249);
  expect(saidSlow).toEqual([]);
  await look(1_000);
  expect(saidSlow).toEqual([{ sub_1: 3, sub_2: 2 }]);
  answer(OK);
  await running;
});

test('a worker that was stopped does not take the endpoint for slow', async () => {
  const { run, look, freeze, answer, saidSlow, circuit } = hanging(besides(1_000));
  const running = run(...payments(3));
  await look(250);
  freeze(8_000);
  await look(1);
  expect(saidSlow).toEqual([]);
  answer({ ...TIMEOUT, duration_ms: 18_000, looked_late_ms: 8_000 });
  await running;
  expect(circuit()).toBeUndefined();
});

test('they are counted at one moment of each second, however often the batch looks at itself', async () => {
  const { run, look, answer, saidSlow } = hanging();
  const running = run(...payments(2));
  await look(600);
  await look(250);
  expect(saidSlow).toEqual([]);
  await look(150);
  expect(saidSlow).toEqual([{ sub_1: 2 }]);
  await look(900);
  expect(saidSlow).toHaveLength(1);
  await look(100);
  expect(saidSlow).toHaveLength(2);
  answer(OK);
  await running;
  expect(saidSlow).toHaveLength(2);
});

test('what is answered is slow no more, however long its batch lasts', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const { run, nextSecond, saidSlow } = hanging({ answer: (id) => (id === 'slow' ? held.promise : OK) });
  const running = run(...payments(5), event('slow', { payment_id: 's', subscription_id: 'sub_2' }));
  await nextSecond();
  expect(saidSlow).toEqual([{ sub_2: 1 }]);
  held.resolve(OK);
  await running;
});

test('as long as there is room nothing is written of a circuit', async () => {
  const { run, nextSecond, answer, circuit } = hanging(besides(200));
  const running = run(...payments(9));
  await nextSecond();
  answer({ ...OK, duration_ms: 600 });
  await running;
  expect(circuit()).toBeUndefined();
});

test('a subscription that has as many slow attempts as there is room for more is drained, and they are recorded when they end', async () => {
  const { run, nextSecond, answer, circuit, of, armed, counted } = hanging(besides(232));
  const running = run(...payments(9));
  await nextSecond();
  expect(circuit()).toMatchObject({ state: 'draining', cause: 'crowded', window: 5 });
  expect(armed).toMatchObject([{ timer: { kind: 'circuit', generation: 1 } }]);
  expect(of('e0')).toBeUndefined();
  answer(TIMEOUT);
  expect(await running).toEqual([]);
  expect(payments(9).map(({ message }) => of(message.event_id))).toMatchObject(
    Array<object>(9).fill({
      attempt_count: 1,
      first_attempt: { failure_class: 'timeout', duration_ms: 10_000 },
    }),
  );
  expect(circuit()).toMatchObject({ state: 'draining', revision: 1 });
  expect(counted.get('sub_1')).toMatchObject({ unwell: 9, succeeded: 0 });
});

test('of the subscriptions of a batch only the crowded one is', async () => {
  const { run, nextSecond, answer, subscriptions } = hanging(besides(236));
  const running = run(...payments(8), event('x', { payment_id: 'x', subscription_id: 'sub_2' }));
  await nextSecond();
  expect(subscriptions.get('sub_1')).toMatchObject({ circuit: { state: 'draining' } });
  expect(subscriptions.get('sub_2')).not.toHaveProperty('circuit');
  answer(OK);
  await running;
});

test('no subscription is crowded when nobody can say how many attempts are slow', async () => {
  const { run, nextSecond, answer, circuit } = hanging({ slow: () => undefined });
  const running = run(...payments(9));
  await nextSecond();
  answer(OK);
  expect(await running).toEqual([]);
  expect(circuit()).toBeUndefined();
});

test('one that is drained already stays as it is', async () => {
  const { run, nextSecond, answer, log, circuit } = hanging({
    ...besides(500),
    subscriptions: [subscription({ circuit: draining() })],
  });
  await run(...payments(2));
  const running = run(
    ...payments(2).map(({ message }) => signalled('drain', { payment_id: message.payment_id })),
  );
  await nextSecond();
  answer(OK);
  await running;
  expect(circuit()).toEqual(draining());
  expect(log.filter((backlog) => backlog.startsWith('sub_1 active'))).toEqual([]);
});

test('a ping holds a worker like any other attempt, but alone it is no crowd, and its failure is not told', async () => {
  const { run, nextSecond, answer, circuit, posts, saidSlow } = hanging(besides(1_000));
  const message = pingOf(subscription(), new Uint8Array(PING_BYTES), TEN_O_CLOCK_MS);
  const running = run({ ...asReceived('record of a ping', message), receiveCount: 1, message });
  await nextSecond();
  answer(TIMEOUT);
  await running;
  expect(posts).toHaveLength(1);
  expect(saidSlow).toEqual([{ sub_1: 1 }]);
  expect(circuit()).toBeUndefined();
});

test('an attempt that ends while it is being told of is recorded all the same', async () => {
  const { run, look, nextSecond, answer, of, ports } = hanging(besides(500));
  const telling = Promise.withResolvers<undefined>();
  ports.changeEndpointHealth = () => telling.promise;
  const running = run(...payments(2));
  await nextSecond();
  answer({ ...OK, duration_ms: 700 });
  await look(250);
  expect(of('e0')).toMatchObject({ state: 'succeeded' });
  telling.resolve(undefined);
  expect(await running).toEqual([]);
});

test('a batch does not end before what it has announced is written, though a group met an internal error', async () => {
  const { run, nextSecond, answer, ports, faults } = hanging(besides(500));
  const telling = Promise.withResolvers<undefined>();
  ports.changeEndpointHealth = () => telling.promise;
  ports.commit = async () => 'overtaken';
  let isOver = false;
  const running = run(...payments(2)).finally(() => {
    isOver = true;
  });
  await nextSecond();
  answer(TIMEOUT);
  await settle();
  expect(faults).toEqual([expect.any(OvertakenError), expect.any(OvertakenError)]);
  expect(isOver).toBe(false);
  telling.resolve(undefined);
  expect(await running).toEqual(['record of e0', 'record of e1']);
});
