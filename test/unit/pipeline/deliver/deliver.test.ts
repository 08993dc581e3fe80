import type { AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import { message, subscription } from '../../../support/builders.ts';
import { event, OK, settle, world } from './world.ts';

test('a delivered message is on record with its attempt, its resource and its time to send', async () => {
  const { run, of } = world();
  expect(await run(event('a'))).toEqual([]);
  expect(of('a')).toEqual({
    message_id: message({ event_id: 'a' }).message_id,
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
    last_attempt_at: '2026-11-14T10:00:00.007Z',
    ended_at: '2026-11-14T10:00:00.007Z',
    last_status_code: 200,
    body_format: 1,
    resource: '{"amount":1000}',
    first_attempt: {
      attempt: 1,
      started_at: '2026-11-14T10:00:00.007Z',
      duration_ms: 100,
      status_code: 200,
      response_body: 'thanks',
    },
  });
});

test('what is on record is what was signed and posted', async () => {
  const { run, of, posts } = world();
  await run(event('a'));
  expect(posts[0]?.body).toBe(
    `{"webhook_message_id":"${of('a')?.message_id}","api_version":1,"created_date":"2026-11-14T10:00:00.000Z","resource_id":"pay-1","resource_type":"payment","event_type":"card_payment_captured","resource":{"amount":1000}}`,
  );
  expect(posts[0]).toMatchObject({
    url: 'https://bakery.example/webhooks',
    deadlineMs: 10_000,
    headers: {
      'webhook-id': message({ event_id: 'a' }).message_id,
      'webhook-attempt': '1',
      'webhook-timestamp': '1794650400',
    },
  });
});

test('a batch of ten healthy deliveries costs one read and one write, and none of ordering keys or circuits', async () => {
  const { run, log, asked } = world();
  const batch = Array.from({ length: 10 }, (_, index) => event(`e${index}`, { payment_id: `pay-${index}` }));
  expect(await run(...batch)).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(log.filter((backlog) => !backlog.startsWith('post'))).toEqual([
    'save e0 e1 e2 e3 e4 e5 e6 e7 e8 e9',
  ]);
});

test('the records of an ordering key are posted one after another, those of others at the same time', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const { run, log } = world({ answer: (id) => (id === 'a1' ? held.promise : OK) });
  const running = run(
    event('a1', { payment_id: 'a' }),
    event('a2', { payment_id: 'a' }),
    event('b1', { payment_id: 'b' }),
  );
  await settle();
  expect(log).toEqual(['post a1', 'post b1']);
  held.resolve(OK);
  await running;
  expect(log).toContain('post a2');
});

test('a message whose subscription and large resource are both gone is cancelled, unsent, with its reason', async () => {
  const { run, of, log } = world({ subscriptions: [] });
  expect(await run(event('a', { resource: undefined }))).toEqual([]);
  expect(log).toEqual(['save a']);
  expect(of('a')).toMatchObject({ state: 'cancelled', state_reason: 'deleted', attempt_count: 0 });
});

test('an event that is not worth delivering any more is cancelled, unsent', async () => {
  const { run, of, log } = world();
  await run(event('a', { expires_at: '2026-11-14T10:00:00.005Z' }));
  expect(log).toEqual(['save a']);
  expect(of('a')).toMatchObject({
    state: 'cancelled',
    state_reason: 'expired',
    ended_at: '2026-11-14T10:00:00.007Z',
  });
});

test('a message with fields of a large resource sends those, beside one that sends all', async () => {
  const { run, posts } = world({
    resources: [['bakery#pay-1#a', '{"large":true}']],
    subscriptions: [subscription(), subscription({ subscription_id: 'sub_2' })],
  });
  await run(
    event('a', { resource: undefined }),
    event('a', { subscription_id: 'sub_2', resource: '{"few":1}', fields: ['/few'] }),
  );
  expect(posts.map(({ body }) => body.slice(body.indexOf('"resource"'))).sort()).toEqual([
    '"resource":{"few":1}}',
    '"resource":{"large":true}}',
  ]);
});

test('a large resource is taken from the history, and not written again with the message', async () => {
  const { run, posts, of, asked } = world({ resources: [['bakery#pay-1#a', '{"large":true}']] });
  await run(event('a', { resource: undefined }));
  expect(asked[0]?.resources).toMatchObject([{ service_id: 'bakery', payment_id: 'pay-1', event_id: 'a' }]);
  expect(posts[0]?.body).toContain('"resource":{"large":true}}');
  expect(of('a')).not.toHaveProperty('resource');
});
