import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Message } from '../../../../functions/core/message/message.ts';
import { MAX_STUCK } from '../../../../functions/core/stuck/stuck-payments.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import type { Intake } from '../../../../functions/pipeline/match/ports.ts';
import { intake, paymentEvent } from '../../../support/builders.ts';
import { world } from './world.ts';

/** Of the event that fails: so often received. */
const OFTEN = { receiveCount: 7 };

/** A world in which the first event of `pay-1` cannot be sent until it is mended. */
function broken(isBroken = (message: Message) => message.event_id === 'pay-1_1') {
  let isMended = false;
  let records = 0;
  const one = world({ refuse: (message) => !isMended && isBroken(message) });
  const record = (body: object, of: Partial<Intake> = {}): Intake => {
    records += 1;
    const orderNumber = String(100 * records).padStart(20, '0');
    return intake(body, { recordId: `record ${records}`, orderNumber, ...of });
  };
  return {
    ...one,
    event: (payment_id: string, number: number, of: Partial<Intake> = {}) =>
      record(paymentEvent({ payment_id, event_id: `${payment_id}_${number}` }), of),
    signal: (kind: 'release' | 'skip', over: object = {}) =>
      record({ v: 1, kind, service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01', ...over }),
    run: (...intakes: Intake[]) => match(intakes, one.ports, DELIVERY_POLICY),
    mend: () => {
      isMended = true;
    },
    names: () => one.sent.map(({ event_id }) => event_id),
    waiting: () => [...one.stuck.events.values()].map(({ order_number }) => Number(order_number) / 100),
  };
}

test('a payment whose event alone fails again and again is stuck: its events wait, others continue', async () => {
  const { event, run, names, waiting, stuck, observed } = broken();
  const records = [event('pay-1', 1, OFTEN), event('pay-2', 1), event('pay-1', 2)];
  expect(await run(...records)).toEqual([]);
  expect(await run(event('pay-1', 3), event('pay-2', 2))).toEqual([]);
  expect(names()).toEqual(['pay-2_1', 'pay-2_2']);
  expect(waiting()).toEqual([1, 3, 4]);
  expect([...stuck.payments.values()]).toMatchObject([
    { payment_id: 'pay-1', group: 'shard-01', explanation: expect.stringContaining('did not take') },
  ]);
  expect(observed.map((outcome) => [outcome.stuck.length, outcome.setAside.length])).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

test.each([
  ['has not failed often', { receiveCount: 6 }, undefined],
  ['fails like all others', OFTEN, () => true],
])('nobody is stuck while an event %s', async (_, of, isBroken) => {
  const { event, run, stuck } = broken(isBroken);
  const first = event('pay-1', 1, of);
  expect(await run(first, event('pay-2', 1))).toContain(first.recordId);
  expect([...stuck.services]).toEqual([]);
});

test('what others get through must be the same step: a table that is down makes nobody stuck', async () => {
  const { ports, event, stuck } = broken(() => false);
  const large = intake(paymentEvent({ payment_id: 'pay-1', resource: { text: 'x'.repeat(20_000) } }), OFTEN);
  const keepResource = () => Promise.reject(new Error('the table is down'));
  const again = await match([large, event('pay-2', 1)], { ...ports, keepResource }, DELIVERY_POLICY);
  expect(again).toEqual([large.recordId]);
  expect([...stuck.services]).toEqual([]);
});

test('released, what waits continues in order, and later events behind it', async () => {
  const { event, run, names, waiting, mend, signal, stuck, sent } = broken();
  await run(event('pay-1', 1, OFTEN), event('pay-2', 1), event('pay-1', 2));
  mend();
  expect(await run(event('pay-1', 3), signal('release'), event('pay-1', 4))).toEqual([]);
  expect(names()).toEqual(['pay-2_1', 'pay-1_1', 'pay-1_2', 'pay-1_3', 'pay-1_4']);
  expect(sent.slice(1, 4).every(({ sent_before }) => sent_before)).toBe(true);
  expect(waiting()).toEqual([]);
  expect([...stuck.payments]).toEqual([]);
  expect(stuck.services.get('bakery')?.payments).toEqual([]);
});

test('released before its cause is mended, it stays stuck with all that waits', async () => {
  const { event, run, names, waiting, signal, stuck } = broken();
  await run(event('pay-1', 1, OFTEN), event('pay-2', 1));
  expect(await run(event('pay-1', 2), signal('release'))).toEqual([]);
  expect(names()).toEqual(['pay-2_1']);
  expect(waiting()).toEqual([1, 3]);
  expect([...stuck.payments.keys()]).toEqual(['bakery#pay-1']);
});

test('skipped, its first event is dead-lettered and the rest continues; a repeat skips nothing else', async () => {
  const { event, run, names, mend, signal, stuck, deadLettered } = broken(
    ({ event_id }) => event_id === 'pay-1_1' || event_id === 'pay-1_2',
  );
  await run(event('pay-1', 1, OFTEN), event('pay-2', 1), event('pay-1', 2));
  const skip = signal('skip', { record_id: 'record 1' });
  expect(await run(skip)).toEqual([]);
  expect(await run(skip)).toEqual([]);
  expect(deadLettered).toMatchObject([{ reason: 'skipped', intake: { recordId: 'record 1' } }]);
  expect([...stuck.payments.keys()]).toEqual(['bakery#pay-1']);
  mend();
  await run(signal('release'));
  expect(names()).toEqual(['pay-2_1', 'pay-1_2']);
});

test('what is set aside while it is released continues, too', async () => {
  const { ports, event, run, names, mend, signal, stuck } = broken();
  await run(event('pay-1', 1, OFTEN), event('pay-2', 1));
  mend();
  const late = event('pay-1', 2, { group: 'pay-1' });
  let isOpen = true;
  const free: typeof ports.free = async (...given) => {
    if (isOpen) {
      isOpen = false;
      await run(late);
    }
    return ports.free(...given);
  };
  expect(await match([signal('release')], { ...ports, free }, DELIVERY_POLICY)).toEqual([]);
  expect(names()).toEqual(['pay-2_1', 'pay-1_1', 'pay-1_2']);
  expect([...stuck.events]).toEqual([]);
});

test('when too many payments of a service are stuck, or an event cannot be set aside, it is received again', async () => {
  const { event, run, stuck, ports } = broken(({ event_id }) => event_id.startsWith('bad'));
  const bad = (number: number) => event(`bad-${number}`, 1, OFTEN);
  const all = Array.from({ length: MAX_STUCK }, (_, number) => bad(number));
  expect(await run(event('pay-2', 1), ...all)).toEqual([]);
  const more = bad(MAX_STUCK);
  expect(await run(event('pay-2', 2), more)).toEqual([more.recordId]);
  expect(stuck.payments.size).toBe(MAX_STUCK);
  const behind = event('bad-1', 2);
  const refusing = { ...ports, setAside: () => Promise.reject(new Error('the table is down')) };
  expect(await match([behind], refusing, DELIVERY_POLICY)).toEqual([behind.recordId]);
});

test('a numbered payment that cannot be read now becomes stuck likewise', async () => {
  const { ports, stuck, run, names, mend, signal } = broken(() => false);
  const numbered = (payment_id: string, of: Partial<Intake> = {}) =>
    intake(paymentEvent({ payment_id, event_id: `${payment_id}_1`, sequence: 1 }), {
      recordId: payment_id,
      ...of,
    });
  const sequencesOf: typeof ports.sequencesOf = (payments) =>
    payments.some(({ payment_id }) => payment_id === 'pay-1')
      ? Promise.reject(new Error('a newer format'))
      : ports.sequencesOf(payments);
  const again = await match(
    [numbered('pay-1', OFTEN), numbered('pay-2')],
    { ...ports, sequencesOf },
    DELIVERY_POLICY,
  );
  expect(again).toEqual([]);
  expect([...stuck.payments.values()]).toMatchObject([{ explanation: 'Error: a newer format' }]);
  mend();
  await run(signal('release'));
  expect(names()).toEqual(['pay-2_1', 'pay-1_1']);
});
