import type { WireResult } from '../../../functions/core/attempt.ts';
import type { Circuit } from '../../../functions/core/circuit.ts';
import { PING_BYTES, pingOf } from '../../../functions/core/ping.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { draining } from '../core/circuits.ts';
import { event, hinted, OK, settle, world } from './world.ts';

const TIMEOUT: WireResult = {
  failure_class: 'timeout',
  failure_reason: 'no answer within 10000 ms',
  duration_ms: 10_000,
};

/** A world whose receiver answers, for all payments alike, when the test has it answer. */
function hanging(circuit?: Circuit) {
  const answer = Promise.withResolvers<WireResult>();
  const made = world({
    subscriptions: [subscription(circuit === undefined ? {} : { circuit })],
    answer: () => answer.promise,
  });
  return {
    ...made,
    answer: answer.resolve,
    /** Lets so many ms pass, and the batch look at itself. */
    look: async (ms: number) => {
      await settle();
      made.pass(ms);
      made.elapse();
      await settle();
    },
    circuit: () => made.subscriptions.get('sub_1')?.circuit,
    standingWrites: () => made.log.filter((line) => line.startsWith('sub_1 ')).length,
  };
}
const payments = (count: number) =>
  Array.from({ length: count }, (_, index) => event(`e${index}`, { payment_id: `pay-${index}` }));

test('five payments that have not been answered after three seconds start a drain, and are recorded when they end', async () => {
  const { run, look, answer, circuit, of, armed } = hanging();
  const running = run(...payments(5));
  await look(3_000);
  expect(circuit()).toBeUndefined();
  await look(1);
  expect(circuit()).toMatchObject({ state: 'draining', window: 1, success: 'awaited' });
  expect(armed).toMatchObject([{ timer: { kind: 'tick', tick: 1 } }]);
  expect(of('e0')).toBeUndefined();
  answer(TIMEOUT);
  expect(await running).toEqual([]);
  expect(payments(5).map(({ message }) => of(message.event_id))).toMatchObject(
    Array<object>(5).fill({
      attempt_count: 1,
      first_attempt: { failure_class: 'timeout', duration_ms: 10_000 },
    }),
  );
  expect(circuit()).toMatchObject({ state: 'open' });
});

test('each attempt is told of once, however long it takes, and those of a subscription with one write', async () => {
  const { run, look, answer, circuit, standingWrites } = hanging();
  const running = run(...payments(2));
  await look(3_001);
  await look(3_001);
  expect(standingWrites()).toBe(1);
  expect(circuit()).toMatchObject({ slow_keys: ['sub_1.pay-0', 'sub_1.pay-1'] });
  answer({ ...OK, duration_ms: 6_002 });
  await running;
  expect(standingWrites()).toBe(1);
  expect(circuit()).toMatchObject({ state: 'closed', slow_keys: ['sub_1.pay-0', 'sub_1.pay-1'] });
});

test('an attempt that a quick success has made up for is not told of again', async () => {
  const [hangs, quick] = [Promise.withResolvers<WireResult>(), Promise.withResolvers<WireResult>()];
  const made = world({ answer: (id) => (id === 'hangs' ? hangs : quick).promise });
  const running = made.run(event('hangs', { payment_id: 'h' }), event('quick', { payment_id: 'q' }));
  const look = async () => {
    await settle();
    made.pass(3_001);
    made.elapse();
    await settle();
  };
  await look();
  expect(made.subscriptions.get('sub_1')?.circuit).toMatchObject({ slow_keys: ['sub_1.h', 'sub_1.q'] });
  quick.resolve(OK);
  await look();
  expect(made.subscriptions.get('sub_1')?.circuit).toMatchObject({ slow_keys: [] });
  hangs.resolve(OK);
  await running;
});

test('what is answered within three seconds tells nothing, however long its batch goes on', async () => {
  const held = Promise.withResolvers<WireResult>();
  const made = world({ answer: (id) => (id === 'slow' ? held.promise : OK) });
  const slow = event('slow', { payment_id: 's', subscription_id: 'sub_2' });
  const running = made.run(...payments(5), slow);
  await settle();
  made.pass(3_001);
  made.elapse();
  await settle();
  held.resolve({ ...OK, duration_ms: 3_001 });
  await running;
  expect(made.subscriptions.get('sub_1')).not.toHaveProperty('circuit');
  expect(made.subscriptions.get('sub_2')?.circuit).toMatchObject({ slow_keys: ['sub_2.s'] });
});

test('in a drain it keeps the window from growing, until somebody succeeds', async () => {
  const { run, look, answer, circuit } = hanging(draining());
  await run(event('a1'));
  const running = run(hinted('drain'));
  await look(3_001);
  expect(circuit()).toMatchObject({ state: 'draining', success: 'awaited' });
  answer({ ...OK, duration_ms: 4_000 });
  await running;
  expect(circuit()).toMatchObject({ state: 'draining', success: 'seen' });
});

test('a ping is not told of', async () => {
  const { run, look, answer, standingWrites, posts } = hanging();
  const message = pingOf(subscription(), new Uint8Array(PING_BYTES), TEN_O_CLOCK_MS);
  const running = run({ recordId: 'record of a ping', receipt: '', receiveCount: 1, message });
  await look(3_001);
  answer(TIMEOUT);
  await running;
  expect(posts).toHaveLength(1);
  expect(standingWrites()).toBe(0);
});

test('an attempt that ends while it is being told of is recorded all the same', async () => {
  const { run, look, answer, of, ports } = hanging();
  const telling = Promise.withResolvers<undefined>();
  ports.changeStanding = () => telling.promise;
  const running = run(...payments(1));
  await look(3_001);
  answer({ ...OK, duration_ms: 3_002 });
  await look(250);
  expect(of('e0')).toMatchObject({ state: 'succeeded' });
  telling.resolve(undefined);
  expect(await running).toEqual([]);
});

test('a batch does not end before what it has told is written, though a group of it met a fault', async () => {
  const refused = Object.assign(new Error('too large'), { name: 'ValidationException' });
  const { run, look, answer, ports, faults } = hanging();
  const telling = Promise.withResolvers<undefined>();
  ports.changeStanding = () => telling.promise;
  ports.commit = () => Promise.reject(refused);
  let isOver = false;
  const running = run(...payments(1)).finally(() => {
    isOver = true;
  });
  await look(3_001);
  answer(TIMEOUT);
  await settle();
  expect(faults).toEqual([refused]);
  expect(isOver).toBe(false);
  telling.resolve(undefined);
  expect(await running).toEqual(['record of e0']);
});
