import { PUBLIC_EVENT_TYPES } from '../../../functions/core/event/event-types.ts';
import { happening, steps } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCEPTED, type Reply } from '../../support/network/scripted-partner.ts';

const REPLIES: Readonly<Record<string, Reply>> = {
  'pay-aborted': { status: 400, headers: { 'webhook-delivery': 'abort-message' } },
  'pay-retried': { status: 503 },
};

test('messages are listed by how they fare', async () => {
  onArrival(({ payment_id }) => REPLIES[payment_id] ?? ACCEPTED);
  const { id } = await service.subscribe(partner.url('listed'));
  await stack.publish(
    ...steps(service, ['pay-taken', 'pay-aborted', 'pay-retried'], 1),
    happening(service, { payment_id: 'pay-retried', resource: { step: 2 } }),
  );
  const listed = async (state: string) => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?state=${state}`);
    return body.messages.map(({ payment_id, state: shown }: { payment_id: string; state: string }) => [
      payment_id,
      shown,
    ]);
  };
  const wanted = {
    succeeded: [['pay-taken', 'succeeded']],
    exhausted: [['pay-aborted', 'exhausted']],
    retrying: [['pay-retried', 'retrying']],
    parked: [['pay-retried', 'parked']],
    cancelled: [],
  };
  await service.messages(id, (all) => all.length === 4);
  await eventually('each is listed where it belongs', async () => {
    const seen = Object.fromEntries(
      await Promise.all(Object.keys(wanted).map(async (state) => [state, await listed(state)])),
    );
    expect(seen).toEqual(wanted);
    return true;
  });
  // What still waits is nobody's to wait for.
  await service.call('DELETE', `/subscriptions/${id}`);
});

test('all subscriptions that a service can have are in one list, oldest first', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    ids.push((await service.subscribe(partner.url(`listed-${count}`))).id);
  }
  const { body } = await service.call('GET', '/subscriptions');
  expect(Object.keys(body)).toEqual(['subscriptions']);
  const listed = body.subscriptions.map(
    ({ subscription_id }: { subscription_id: string }) => subscription_id,
  );
  expect(listed).toEqual(ids);
});

test('the messages of one event are listed page by page, those of deleted subscriptions included', async () => {
  const ids = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => (await service.subscribe(partner.url(name))).id),
  );
  await stack.publish(happening(service, { payment_id: 'pay-listed' }));
  for (const id of ids) await service.messages(id, ([message]) => message?.state === 'succeeded');
  expect((await service.call('DELETE', `/subscriptions/${ids[1]}`)).status).toBe(204);

  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await service.call('GET', `/messages?payment_id=pay-listed&limit=2${cursor}`);
    expect(body.messages.length).toBeLessThanOrEqual(2);
    seen.push(...body.messages.map((message: { subscription_id: string }) => message.subscription_id));
    cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(seen.sort()).toEqual([...ids].sort());
});

test('the event types in the deployed document are those that can be subscribed to, published and delivered', async () => {
  const { paths } = (await service.call('GET', '/openapi.json')).body;
  const { post } = paths['/v1/subscriptions/{subscription_id}/ping'];
  const types: string[] = post.requestBody.content['application/json'].schema.properties.sample_of.enum;
  expect(types).toEqual(PUBLIC_EVENT_TYPES);
  const { id } = await service.subscribe(partner.url('typed'), { event_types: types });
  await stack.publish(...types.map((event_type) => happening(service, { event_type })));
  const messages = await service.messages(
    id,
    (all) => all.length === types.length && all.every(({ state }) => state === 'succeeded'),
  );
  expect(messages.map(({ event_type }) => event_type).sort()).toEqual(types.toSorted());
});
