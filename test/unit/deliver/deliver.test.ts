import type { WireResult } from '../../../functions/core/attempt.ts';
import { messageId } from '../../../functions/core/message.ts';
import { deliver } from '../../../functions/deliver/deliver.ts';
import { subscription } from '../../support/builders.ts';
import { BUSY, event, OK, settle, world } from './world.ts';

test('a delivered message is on record with its attempt, its body and its time to send', async () => {
  const { ports, saved } = world();
  expect(await deliver([event('a')], ports)).toEqual([]);
  expect(saved).toEqual([
    {
      record: {
        message_id: messageId('a', 'sub_1'),
        event_id: 'a',
        service_id: 'bakery',
        subscription_id: 'sub_1',
        payment_id: 'pay-1',
        ordering_key: 'sub_1.pay-1',
        order_number: '00000000000000000001',
        event_type: 'card_payment_captured',
        resource_type: 'payment',
        resource_id: 'pay-1',
        live: false,
        occurred_at: '2026-11-14T10:00:00.000Z',
        admitted_at: '2026-11-14T10:00:00.000Z',
        state: 'succeeded',
        attempt_count: 1,
        time_to_send_ms: 7,
        receive_count: 1,
        last_attempt_at: '2026-11-14T10:00:00.007Z',
        last_status_code: 200,
        body: `{"webhook_message_id":"${messageId('a', 'sub_1')}","api_version":1,"created_date":"2026-11-14T10:00:00.000Z","resource_id":"pay-1","resource_type":"payment","event_type":"card_payment_captured","resource":{"amount":1000}}`,
        first_attempt: {
          attempt: 1,
          started_at: '2026-11-14T10:00:00.007Z',
          duration_ms: 100,
          status_code: 200,
          response_body: 'thanks',
        },
      },
    },
  ]);
});

test('what is on record is what was signed and posted', async () => {
  const { ports, saved, posts } = world();
  await deliver([event('a')], ports);
  expect(posts[0]?.body).toBe(saved[0]?.record.body);
  expect(posts[0]).toMatchObject({
    url: 'https://bakery.example/webhooks',
    deadlineMs: 10_000,
    headers: {
      'webhook-id': messageId('a', 'sub_1'),
      'webhook-attempt': '1',
      'webhook-timestamp': '1794650400',
    },
  });
});

test('a batch of ten healthy deliveries costs one look-up and one write, and the queue keeps nothing', async () => {
  const { ports, log, asked } = world();
  const batch = Array.from({ length: 10 }, (_, index) => event(`e${index}`, { payment_id: `pay-${index}` }));
  expect(await deliver(batch, ports)).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(log.filter((line) => !line.startsWith('post'))).toEqual(['save e0 e1 e2 e3 e4 e5 e6 e7 e8 e9']);
});

test('the records of a key are posted one after another, keys at the same time', async () => {
  const held = Promise.withResolvers<WireResult>();
  const { ports, log } = world({ answer: (id) => (id === 'a1' ? held.promise : OK) });
  const running = deliver(
    [event('a1', { payment_id: 'a' }), event('a2', { payment_id: 'a' }), event('b1', { payment_id: 'b' })],
    ports,
  );
  await settle();
  expect(log).toEqual(['post a1', 'post b1']);
  held.resolve(OK);
  await running;
  expect(log).toContain('post a2');
});

test('the first of a key that fails goes back with all that follow; other keys are done', async () => {
  const { ports, log, saved } = world({ answer: (id) => (id === 'a1' ? BUSY : OK) });
  const again = await deliver(
    [event('a1', { payment_id: 'a' }), event('a2', { payment_id: 'a' }), event('b1', { payment_id: 'b' })],
    ports,
  );
  expect(again).toEqual(['record of a1', 'record of a2']);
  expect(log).toEqual(['post a1', 'post b1', 'save a1 a2 b1', 'return a1 a2']);
  expect(saved.map(({ record }) => [record.event_id, record.state, record.last_failure_class])).toEqual([
    ['a1', 'retrying', 'http_status'],
    ['a2', 'parked', undefined],
    ['b1', 'succeeded', undefined],
  ]);
});

test('a message whose subscription and large resource are both gone is cancelled too', async () => {
  const { ports, saved } = world({ subscriptions: [] });
  expect(await deliver([event('a', { resource: undefined })], ports)).toEqual([]);
  expect(saved[0]?.record).toMatchObject({ state: 'cancelled', state_reason: 'deleted' });
});

test('a message whose subscription is gone is cancelled, unsent, with its reason', async () => {
  const { ports, log, saved } = world({ subscriptions: [] });
  expect(await deliver([event('a')], ports)).toEqual([]);
  expect(log).toEqual(['save a']);
  expect(saved[0]?.record).toMatchObject({ state: 'cancelled', state_reason: 'deleted', attempt_count: 0 });
});

test('no attempt is started that could end after 50 s: what is left of its key goes back untried', async () => {
  const { ports, log, saved } = world({
    subscriptions: [subscription({ timeout_ms: 30_000 })],
    attemptTakesMs: 21_000,
  });
  const again = await deliver([event('a1'), event('a2'), event('a3')], ports);
  expect(again).toEqual(['record of a2', 'record of a3']);
  expect(log).toEqual(['post a1', 'save a1 a2 a3', 'return a2 a3']);
  expect(saved.map(({ record }) => record.state_reason)).toEqual([undefined, 'catching_up', 'catching_up']);
});

test('a large resource is taken from the history, and not written again with the message', async () => {
  const { ports, posts, saved, asked } = world({ resources: [['bakery#a', '{"large":true}']] });
  await deliver([event('a', { resource: undefined })], ports);
  expect(asked[0]?.resourceKeys).toEqual(['bakery#a']);
  expect(posts[0]?.body).toContain('"resource":{"large":true}}');
  expect(saved[0]?.record).not.toHaveProperty('body');
});
