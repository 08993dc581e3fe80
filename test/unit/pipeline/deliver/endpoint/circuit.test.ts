import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { type Circuit, CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../../support/builders.ts';
import { BUSY, event, OK, signalled, timersOf, world } from '../world.ts';

/** A world with one subscription of this endpoint health, whose receiver answers like that. */
function health(over: Partial<Subscription>, answer: (eventId: string) => AttemptResult = () => OK) {
  return world({ subscriptions: [subscription(over)], answer });
}
const OPEN: Circuit = {
  ...CLOSED,
  state: 'open',
  revision: 5,
  generation: 1,
  timer_at: '2026-11-14T10:00:10.000Z',
  probe_at: '2026-11-14T10:00:10.000Z',
  cool_down_ms: 10_000,
};
const PROBED: Circuit = {
  ...OPEN,
  state: 'half_open',
  probe_at: '2026-11-14T10:00:20.000Z',
  probes: ['sub_1.pay-1'],
};
const UNCLAIMED: Circuit = { ...PROBED, probes: [] };
const DRAINING: Circuit = { ...OPEN, state: 'draining', window: 8 };

const circuitOf = ({ subscriptions }: Pick<ReturnType<typeof world>, 'subscriptions'>) =>
  subscriptions.get('sub_1')?.circuit;
const payments = (count: number) =>
  Array.from({ length: count }, (_, index) => event(`e${index}`, { payment_id: `pay-${index}` }));

test('twenty payments that fail in a row open the circuit, and its first probe is set', async () => {
  const made = health({}, () => BUSY);
  await made.run(...payments(19));
  expect(circuitOf(made)).toMatchObject({ state: 'closed' });
  expect(circuitOf(made)?.failed_ordering_keys).toHaveLength(19);
  await made.run(event('z', { payment_id: 'pay-z' }));
  expect(circuitOf(made)).toMatchObject({ state: 'open', cool_down_ms: 1_000 });
  expect(timersOf(made.armed)).toContain('circuit timer 1 at 10:00:01.007');
});

test('what failed before and fails again, of however many payments, opens nothing', async () => {
  const made = health({}, (id) => (id === 'good' ? OK : BUSY));
  await made.run(...payments(19));
  await made.run(event('good', { payment_id: 'good' }));
  expect(circuitOf(made)).toMatchObject({ failed_ordering_keys: [] });
  made.pass(5_000);
  for (const { message } of payments(19)) {
    await made.run(signalled('resume', { payment_id: message.payment_id }));
  }
  expect(made.posts).toHaveLength(39);
  await made.run(event('z', { payment_id: 'pay-z' }));
  expect(circuitOf(made)).toMatchObject({ state: 'closed', failed_ordering_keys: ['sub_1.pay-z'] });
});

test('a success wipes the slate, with one write', async () => {
  const made = health({}, (id) => (id === 'e4' ? OK : BUSY));
  await made.run(...payments(12).filter((_, index) => index !== 4));
  made.log.length = 0;
  await made.run(...payments(5).slice(4));
  await made.run(event('e4', { payment_id: 'pay-80' }));
  expect(circuitOf(made)).toMatchObject({ failed_ordering_keys: [] });
  expect(made.log.filter((backlog) => backlog.startsWith('sub_1'))).toHaveLength(1);
});

describe('what other workers have counted while an attempt was under way', () => {
  const failing: Circuit = {
    ...CLOSED,
    failed_ordering_keys: Array.from({ length: 12 }, (_, at) => `sub_1.pay-${at}`),
  };
  const counting = (attemptTakesMs: number, result: AttemptResult = OK) => {
    const made = world({
      subscriptions: [subscription()],
      answer: () => {
        made.subscriptions.set('sub_1', subscription({ circuit: failing }));
        return result;
      },
      attemptTakesMs,
    });
    return made;
  };

  test('ends with a success that took long, as with any other', async () => {
    const made = counting(500);
    await made.run(event('z', { payment_id: 'pay-z' }));
    expect(circuitOf(made)).toMatchObject({ failed_ordering_keys: [] });
    expect(made.asked).toHaveLength(2);
  });

  test('is not asked for by a quick one, nor by a failure: what that is written over is reading enough', async () => {
    const quick = counting(99);
    await quick.run(event('z', { payment_id: 'pay-z' }));
    expect(quick.asked).toHaveLength(1);
    const failed = counting(500, BUSY);
    await failed.run(event('z', { payment_id: 'pay-z' }));
    expect(failed.asked).toHaveLength(1);
    expect(circuitOf(failed)?.failed_ordering_keys).toHaveLength(13);
  });

  test('is asked for by a failure, too, that would count if the drain which its batch knew has ended', async () => {
    const made = world({
      subscriptions: [subscription({ circuit: DRAINING })],
      answer: () => {
        made.subscriptions.set('sub_1', subscription({ circuit: failing }));
        return BUSY;
      },
      attemptTakesMs: 500,
    });
    await made.run(event('z', { payment_id: 'pay-z' }));
    await made.run(signalled('drain', { payment_id: 'pay-z' }));
    expect(made.posts).toHaveLength(1);
    expect(circuitOf(made)?.failed_ordering_keys).toHaveLength(13);
  });

  test('is asked for once by what succeeds at the same time', async () => {
    const made = world({ subscriptions: [subscription()], attemptTakesMs: 50 });
    await made.run(...payments(6));
    expect(made.posts).toHaveLength(6);
    expect(made.asked).toHaveLength(2);
  });

  test('stays where it is when it cannot be read', async () => {
    const made = counting(500);
    const { lookUp } = made.ports;
    made.ports.lookUp = (wanted) =>
      made.posts.length === 0 ? lookUp(wanted) : Promise.reject(new Error('no reading'));
    await made.run(event('z', { payment_id: 'pay-z' }));
    expect(made.of('z')).toMatchObject({ state: 'succeeded' });
    expect(circuitOf(made)?.failed_ordering_keys).toHaveLength(12);
    expect(made.faults).toEqual([new Error('no reading')]);
  });
});

test('behind an open circuit a message joins the backlog, unsent, and uses no attempt and no timer', async () => {
  const made = health({ circuit: OPEN });
  expect(await made.run(event('a1'), event('a2'))).toEqual([]);
  expect(made.posts).toEqual([]);
  expect(made.of('a1')).toMatchObject({ state: 'parked', state_reason: 'circuit_open', attempt_count: 0 });
  expect(made.of('a2')).toMatchObject({ state: 'parked', state_reason: 'behind_earlier' });
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at: '2026-11-14T10:00:00.000Z',
  });
  expect(made.armed).toEqual([]);
});

test('where the clock of a worker is behind, what joins the backlog may be sent at once', async () => {
  const made = health({ circuit: OPEN });
  made.pass(-180_000);
  await made.run(event('a1'));
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at: '2026-11-14T09:57:00.007Z',
    check_at: '2026-11-14T09:57:00.007Z',
  });
});

test('an ordering key whose time has come while the circuit is open joins the backlog, where its message came', async () => {
  const made = health({}, () => BUSY);
  await made.run(...payments(20));
  made.pass(5_000);
  made.posts.length = 0;
  await made.run(signalled('resume', { payment_id: 'pay-0' }));
  expect(made.posts).toEqual([]);
  expect(made.keys.get('sub_1.pay-0')).toMatchObject({
    state: 'backlogged',
    backlogged_at: '2026-11-14T10:00:00.000Z',
  });
  expect(made.of('e0')).toMatchObject({ state: 'parked', state_reason: 'circuit_open', attempt_count: 1 });
  expect(made.of('e0')).not.toHaveProperty('next_attempt_at');
});

test('however many timers of an ordering key go off at once, it joins the backlog once', async () => {
  const made = health({}, () => BUSY);
  await made.run(...payments(20));
  made.pass(5_000);
  const before = made.keys.get('sub_1.pay-0');
  const resume = () => signalled('resume', { payment_id: 'pay-0' }, 2);
  const writes = made.log.length;
  await made.run(resume(), resume(), resume());
  expect(made.keys.get('sub_1.pay-0')).not.toEqual(before);
  expect(made.log.slice(writes).filter((backlog) => backlog.includes('sub_1.pay-0'))).toHaveLength(1);
});

test('a probe that fails is on record, uses up nothing of the schedule, and keeps its position in the backlog', async () => {
  const made = health({ circuit: OPEN }, () => BUSY);
  await made.run(event('a1'));
  made.subscriptions.set('sub_1', subscription({ circuit: PROBED }));
  made.pass(1_000);
  await made.run(signalled('probe'));
  expect(made.of('a1')).toMatchObject({
    state: 'parked',
    state_reason: 'circuit_open',
    attempt_count: 1,
    first_attempt: { attempt: 1, probe: true },
  });
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at: '2026-11-14T10:00:00.000Z',
  });
  expect(circuitOf(made)).toMatchObject({ state: 'open', cool_down_ms: 12_500 });
  expect(timersOf(made.armed)).toEqual(['circuit timer 2 at 10:00:13.507']);
});

test('a probe that is answered starts the drain, with the rest of its own ordering key', async () => {
  const made = health({ circuit: OPEN });
  await made.run(event('a1'), event('a2'));
  made.subscriptions.set('sub_1', subscription({ circuit: PROBED }));
  await made.run(signalled('probe'));
  expect([made.of('a1')?.state, made.of('a2')?.state]).toEqual(['succeeded', 'succeeded']);
  expect(circuitOf(made)).toMatchObject({ state: 'draining', window: 5 });
  expect(made.keys.size).toBe(0);
});

test('with an empty backlog the next message to come is the probe, and only that one', async () => {
  const made = health({ circuit: UNCLAIMED }, () => BUSY);
  await made.run(event('a1'), event('b1', { payment_id: 'b' }));
  expect(made.posts).toHaveLength(1);
  expect(made.of('a1')?.first_attempt).toMatchObject({ probe: true });
  expect(made.of('b1')).toMatchObject({ state: 'parked', state_reason: 'circuit_open' });
  expect(circuitOf(made)).toMatchObject({ state: 'open', cool_down_ms: 12_500 });
});

test('a claim that cannot be written makes no probe', async () => {
  const made = health({ circuit: UNCLAIMED });
  made.ports.changeEndpointHealth = async () => undefined;
  await made.run(event('a1'));
  expect(made.posts).toEqual([]);
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({ state: 'backlogged' });
});

test('a failure in a drain leaves the backlog for its own time, and changes nothing of the circuit', async () => {
  const made = health({ circuit: DRAINING }, () => BUSY);
  await made.run(event('a1'));
  await made.run(signalled('drain'));
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'waiting',
    due_at: '2026-11-14T10:00:05.007Z',
  });
  expect(circuitOf(made)).toBe(DRAINING);
});

test('what is over age in the backlog is exhausted in passing, without an attempt', async () => {
  const made = health({ circuit: OPEN });
  await made.run(event('a1'));
  made.pass(3_600_000);
  await made.run(event('a2', { admitted_at_ms: Date.UTC(2026, 10, 14, 11) }));
  made.pass(75 * 3_600_000);
  await made.run(signalled('resume'));
  expect(made.posts).toEqual([]);
  expect(made.of('a1')).toMatchObject({ state: 'exhausted', state_reason: 'age', attempt_count: 0 });
  expect(made.of('a2')).toMatchObject({ state: 'parked' });
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    oldest_since: '2026-11-14T11:00:00.000Z',
  });
});

test.each([
  ['410', { ...BUSY, status_code: 410 }, 'gone'],
  [
    'webhook-delivery: disable',
    { ...BUSY, response_headers: { 'webhook-delivery': 'disable' } },
    'asked_by_receiver',
  ],
])('a receiver that says %s gets nothing any more; its messages wait', async (_, answer, reason) => {
  const made = health({}, () => answer);
  await made.run(event('a1'), event('b1', { payment_id: 'b' }));
  expect(made.subscriptions.get('sub_1')).toMatchObject({
    state: 'disabled',
    disabled_reason: reason,
    disabled_at: '2026-11-14T10:00:00.007Z',
  });
  expect(made.of('a1')).toMatchObject({ state: 'parked', state_reason: 'disabled', attempt_count: 1 });
  await made.run(event('c1', { payment_id: 'c' }));
  expect(made.of('c1')).toMatchObject({ state: 'parked', state_reason: 'disabled', attempt_count: 0 });
});

test('a word to disable that could not be written leaves the message a time of its own', async () => {
  const made = health({}, () => ({ ...BUSY, status_code: 410 }));
  made.ports.changeEndpointHealth = async () => undefined;
  await made.run(event('a1'));
  expect(made.of('a1')).toMatchObject({ state: 'retrying' });
  expect(timersOf(made.armed)).toEqual(['resume pay-1 at 10:00:05.007']);
});

test('a probe whose first message has expired probes with the next one', async () => {
  const made = health({ circuit: OPEN });
  await made.run(event('a1', { expires_at: '2026-11-14T10:00:00.500Z' }), event('a2'));
  made.subscriptions.set('sub_1', subscription({ circuit: PROBED }));
  made.pass(1_000);
  await made.run(signalled('probe'));
  expect(made.of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'expired' });
  expect(made.of('a2')).toMatchObject({ state: 'succeeded', first_attempt: { probe: true } });
  expect(circuitOf(made)).toMatchObject({ state: 'draining' });
});

test('an ordering key whose turn came when the circuit had opened again is not taken for one that is under way', async () => {
  const made = health({ circuit: OPEN });
  await made.run(event('a1'));
  const key = made.keys.get('sub_1.pay-1');
  made.keys.set('sub_1.pay-1', { ...key, check_at: '2026-11-14T10:02:00.000Z' } as never);
  made.pass(1_000);
  await made.run(signalled('drain'));
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    backlogged_at: '2026-11-14T10:00:00.000Z',
    check_at: '2026-11-14T10:00:00.000Z',
  });
});

test('nor does it wait behind what came in time', async () => {
  const made = health({ state: 'disabled', disabled_at: '2026-11-14T10:00:00.000Z', circuit: OPEN });
  await made.run(event('a1'));
  made.pass(76 * 3_600_000);
  await made.run(event('a2'));
  expect(made.of('a1')).toMatchObject({ state: 'parked', state_reason: 'disabled' });
  expect(made.of('a2')).toMatchObject({ state: 'cancelled', state_reason: 'disabled' });
});
