import { steps } from '../../support/deployed/happening.ts';
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

test('timers that wake could not handle go off at once', async () => {
  const timer = { v: 1, kind: 'circuit', service_id: service.serviceId, subscription_id: id, generation: 1 };
  await stack.put('retryTimersDeadLetters', timer);
  expect(await run('redrive', 'retry-timers', '--yes')).toMatchObject({ isWell: true });
  await eventually(
    'it has gone off',
    async () => (await stack.depth(stack.outputs.queues.retryTimers)) === 0,
  );
  expect(await stack.depth(stack.outputs.queues.retryTimersDeadLetters)).toBe(0);
});
