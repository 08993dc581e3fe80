import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import type { Circuit } from '../../../../../functions/core/circuit/circuit.ts';
import { subscription } from '../../../../support/builders.ts';
import { answers } from '../../../core/circuit/given/circuit-inputs.ts';
import { closed, draining, open, probing } from '../../../core/circuit/given/circuits.ts';
import { BUSY, event, OK, settle, signalled, world } from '../world.ts';

const REFUSED: AttemptResult = { ...BUSY, status_code: 422 };
const OVERLOADED: AttemptResult = { ...BUSY, status_code: 429 };

/** The backlog of a subscription that is drained from now on: ordering keys called like their payments. */
async function backlog(
  answersOf: (eventId: string) => AttemptResult | Promise<AttemptResult>,
  ...payments: string[]
) {
  const made = world({ subscriptions: [subscription({ circuit: open() })], answer: answersOf });
  await made.run(...payments.map((payment_id) => event(payment_id, { payment_id })));
  made.subscriptions.set('sub_1', subscription({ circuit: draining() }));
  made.log.length = 0;
  return {
    ...made,
    drain: (...keys: string[]) => made.run(...keys.map((payment_id) => signalled('drain', { payment_id }))),
  };
}

test('what a drained subscription answers is counted, with one write for all attempts of a batch', async () => {
  const says: Record<string, AttemptResult> = { a: OK, b: OK, c: REFUSED, d: OVERLOADED, e: BUSY };
  const { drain, counted, log } = await backlog((id) => says[id] ?? OK, 'a', 'b', 'c', 'd', 'e');
  await drain('a', 'b', 'c', 'd', 'e');
  expect(counted.get('sub_1')).toEqual({ succeeded: 2, refused: 1, overloaded: 1, unwell: 1 });
  expect(log.filter((one) => one === 'answers sub_1')).toHaveLength(1);
  expect(log.filter((one) => one.startsWith('sub_1 active'))).toEqual([]);
});

test('a payment that fails again is not counted, and one that succeeds at last is', async () => {
  let says = BUSY;
  const { drain, counted, run, pass } = await backlog(() => says, 'a');
  await drain('a');
  expect(counted.get('sub_1')).toEqual(answers({ unwell: 1 }));
  pass(5_000);
  await run(signalled('resume', { payment_id: 'a' }));
  await drain('a');
  expect(counted.get('sub_1')).toEqual(answers({ unwell: 1 }));
  says = OK;
  pass(60_000);
  await run(signalled('resume', { payment_id: 'a' }));
  await drain('a');
  expect(counted.get('sub_1')).toEqual(answers({ unwell: 1, succeeded: 1 }));
});

test('one that is refused as too many is counted however often it failed: it says something about the endpoint', async () => {
  let says = BUSY;
  const { drain, counted, run, pass } = await backlog(() => says, 'a');
  await drain('a');
  says = OVERLOADED;
  pass(5_000);
  await run(signalled('resume', { payment_id: 'a' }));
  await drain('a');
  expect(counted.get('sub_1')).toEqual(answers({ unwell: 1, overloaded: 1 }));
});

test('what is answered early in a long batch is counted at once', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const { drain, counted, elapse } = await backlog(
    (id) => (id === 'slow' ? held.promise : OK),
    'quick',
    'slow',
  );
  const running = drain('quick', 'slow');
  await settle();
  elapse();
  await settle();
  expect(counted.get('sub_1')).toEqual(answers({ succeeded: 1 }));
  held.resolve(OK);
  await running;
  expect(counted.get('sub_1')).toEqual(answers({ succeeded: 2 }));
});

test('counts that hang keep no record: the batch ends without them', async () => {
  const { drain, ports, elapse, of } = await backlog(() => OK, 'a');
  Object.assign(ports, { countAnswers: () => new Promise(() => {}) });
  const running = drain('a');
  await settle();
  elapse();
  expect(await running).toEqual([]);
  expect(of('a')).toMatchObject({ state: 'succeeded' });
});

test.each<[string, Circuit | undefined]>([
  ['was never anything but closed', undefined],
  ['is closed', closed({ revision: 3 })],
  ['is open', open()],
])('of a circuit that %s nothing is counted', async (_, circuit) => {
  const made = world({ subscriptions: [subscription(circuit === undefined ? {} : { circuit })] });
  await made.run(event('a1'), event('b1', { payment_id: 'b' }));
  expect(made.counted.size).toBe(0);
});

test('a probe in vain is not counted: there is no drain', async () => {
  const made = world({ subscriptions: [subscription({ circuit: open() })], answer: () => BUSY });
  await made.run(event('a1'));
  made.subscriptions.set('sub_1', subscription({ circuit: probing({ probes: ['sub_1.pay-1'] }) }));
  await made.run(signalled('probe'));
  expect(made.posts).toHaveLength(1);
  expect(made.counted.size).toBe(0);
});

test('what was sent before the circuit drained, and fails after that, is counted', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const made = world({ subscriptions: [subscription()], answer: () => held.promise });
  const running = made.run(event('a1'));
  await settle();
  made.subscriptions.set('sub_1', subscription({ circuit: draining() }));
  held.resolve(BUSY);
  await running;
  expect(made.counted.get('sub_1')).toEqual(answers({ unwell: 1 }));
  expect(made.subscriptions.get('sub_1')?.circuit).toEqual(draining());
});
