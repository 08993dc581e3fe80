import type { Settings } from '../../../functions/load-lab/receiver/store/settings.ts';
import { happening } from '../../support/deployed/happening.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

const REFUSING: Partial<Settings> = { failure_rate: 1, failure_status: 500 };

type Period = Record<'delivered' | 'failed_attempts' | 'exhausted' | 'cancelled', number>;

/** The totals of the last day or two, and what waits. */
async function figuresOf(id: string, by = 'hour') {
  const { status, headers, body } = await service.call('GET', `/subscriptions/${id}/statistics?by=${by}`);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, max-age=10');
  const sum = (name: keyof Period) =>
    body.periods.reduce((total: number, period: Period) => total + period[name], 0);
  return {
    delivered: sum('delivered'),
    failed_attempts: sum('failed_attempts'),
    exhausted: sum('exhausted'),
    cancelled: sum('cancelled'),
    waiting: body.waiting,
  };
}

test('deliveries, failures and waiting messages are counted; test pings are not', async () => {
  const { id } = await service.subscribe(await receiver.endpoint('counted'));
  const payment_id = `pay-${service.serviceId.slice(4, 12)}-fails`;
  await receiver.endpoint('counted', { ...REFUSING, failure_rate: 0, failing_resource_id: payment_id });
  expect(await service.call('POST', `/subscriptions/${id}/ping`)).toMatchObject({ status: 202 });
  await stack.publish(
    happening(service),
    happening(service),
    happening(service, { payment_id, resource: { step: 1 } }),
    happening(service, { payment_id, resource: { step: 2 } }),
  );
  const failing = await eventually('the second failed attempt', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?payment_id=${payment_id}`);
    return body.messages.find(({ attempt_count }: { attempt_count: number }) => attempt_count > 1);
  });

  const figures = await eventually('the figures', async () => {
    const now = await figuresOf(id);
    return now.failed_attempts >= 2 && now.waiting.count === 2 && now;
  });
  expect(figures).toMatchObject({
    delivered: 2,
    exhausted: 0,
    cancelled: 0,
    waiting: { is_more: false, oldest_admitted_at: failing.admitted_at },
  });

  await receiver.endpoint('counted', {});
  await service.messages(
    id,
    (messages) => messages.length === 5 && messages.every(({ state }) => state === 'succeeded'),
  );
  const ended = await eventually('the figures of the end', async () => {
    const now = await figuresOf(id, 'day');
    return now.delivered === 4 && now;
  });
  expect(ended).toMatchObject({ exhausted: 0, cancelled: 0 });
  expect((await figuresOf(id)).waiting.count).toBeLessThanOrEqual(2);
});
