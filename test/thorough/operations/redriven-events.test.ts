import { randomUUID } from 'node:crypto';
import { happening, steps } from '../../support/deployed/happening.ts';
import { opsOn } from '../../support/deployed/ops-on.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

const run = (...args: string[]) => opsOn(stack, ...args);
const json = (printed: string) => JSON.parse(printed);

const allAccepted = (count: number) =>
  eventually(`${count} are accepted`, async () => accepted(partner.arrivals()).length >= count);

test('events that a rule could not send go to the events queue in the order in which they happened', async () => {
  const details = steps(service, ['pay-a1', 'pay-b2'], 4).map((detail, index) => ({
    ...detail,
    occurred_at: new Date(Date.now() - 60_000 + index).toISOString(),
  }));
  for (const [index, detail] of details.toReversed().entries()) {
    const envelope = { version: '0', 'detail-type': 'payment event', source: 'payments', detail };
    await stack.put('ruleDeadLetters', index % 2 === 0 ? envelope : detail);
  }
  expect(await run('redrive', 'rule', '--yes')).toMatchObject({ isWell: true });
  await allAccepted(8);
  expect(overtakers(partner.arrivals())).toEqual([]);
  expect(accepted(partner.arrivals()).sort()).toEqual(
    ['pay-a1', 'pay-b2'].flatMap((payment) => [1, 2, 3, 4].map((step) => `${payment}/${step}`)),
  );
  expect(await stack.depth(stack.outputs.queues.ruleDeadLetters)).toBe(0);
});

test('events dead-lettered by match are redriven past unusable ones, also many of one shard', async () => {
  const mine = steps(service, ['pay-c1', 'pay-d1'], 12);
  for (let number = 0; number < 11; number += 1) {
    await stack.put(
      'eventsDeadLetters',
      happening(service, { payment_id: 'pay-c1', event_type: 'SNEEZED' }),
      'shard-01',
      'unknown_type',
    );
  }
  for (const detail of mine) {
    await stack.put('eventsDeadLetters', detail, 'shard-01');
  }
  const { isWell, printed } = await run('redrive', 'events', '--yes', '--json');
  expect({ isWell, put_back: json(printed).put_back.length }).toEqual({ isWell: true, put_back: 24 });
  await allAccepted(24);
  expect(overtakers(partner.arrivals())).toEqual([]);
  expect(accepted(partner.arrivals())).toHaveLength(24);
  const left = await eventually('all unusable ones are still there', async () => {
    const taken = await stack.takeDeadLetters(stack.outputs.queues.eventsDeadLetters, (body) =>
      body.includes('SNEEZED'),
    );
    return taken.length > 0 && taken;
  });
  expect(left.map(({ reason }) => reason)).toEqual(left.map(() => 'unknown_type'));
});

test('an event that match dead-letters again is reported, also behind others of its shard', async () => {
  const payment_id = `pay-${randomUUID().slice(0, 8)}-e1`;
  await stack.put(
    'eventsDeadLetters',
    happening(service, { payment_id, event_type: 'SNEEZED' }),
    'shard-01',
    'unknown_type',
  );
  await stack.put('eventsDeadLetters', happening(service, { payment_id, live: 'perhaps' }), 'shard-01');
  const { isWell, printed } = await run('redrive', 'events', '--yes', '--json');
  expect({ isWell, ...json(printed) }).toMatchObject({
    isWell: false,
    put_back: [{ key: payment_id, reason: '100 tries' }],
    returned: [{ key: payment_id, reason: 'malformed' }],
  });
});

test('timers that wake could not handle go off at once', async () => {
  const timer = { v: 1, kind: 'tick', service_id: service.serviceId, subscription_id: id, tick: 1 };
  await stack.put('retryTimersDeadLetters', timer);
  expect(await run('redrive', 'retry-timers', '--yes')).toMatchObject({ isWell: true });
  await eventually(
    'it has gone off',
    async () => (await stack.depth(stack.outputs.queues.retryTimers)) === 0,
  );
  expect(await stack.depth(stack.outputs.queues.retryTimersDeadLetters)).toBe(0);
});
