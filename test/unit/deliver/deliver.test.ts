import type { WireResult } from '../../../functions/core/attempt.ts';
import type { MessageRecord } from '../../../functions/core/history.ts';
import { messageId } from '../../../functions/core/message.ts';
import { deliver } from '../../../functions/deliver/deliver.ts';
import type { DeliverPorts, Delivery, Outcome, Tried, Wanted } from '../../../functions/deliver/ports.ts';
import { delivery, subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';

const OK: WireResult = { status_code: 200, response_body: 'thanks', duration_ms: 100 };
const BUSY: WireResult = {
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'answered 503',
  duration_ms: 20,
};

interface Over {
  /** How the receiver answers, by the text of the event id; a promise holds the answer back. */
  readonly answer?: (eventId: string) => WireResult | Promise<WireResult>;
  readonly subscriptions?: ReturnType<typeof subscription>[];
  readonly records?: MessageRecord[];
  readonly resources?: [string, string][];
  readonly faults?: [string, Error][];
  readonly save?: (outcomes: readonly Outcome[]) => Promise<void>;
  /** How far the clock moves with each attempt, in ms. */
  readonly attemptTakesMs?: number;
}

/** Ports in memory that write down what was asked of them, in order. The early release comes when the test says so. */
function world(over: Over = {}) {
  let nowMs = TEN_O_CLOCK_MS + 7;
  const log: string[] = [];
  const saved: Outcome[] = [];
  const tried: Tried[] = [];
  const posts: Parameters<DeliverPorts['post']>[0][] = [];
  const faults: unknown[] = [];
  const asked: Wanted[] = [];
  let elapse = () => {};
  const ids = (deliveries: readonly Delivery[]) =>
    deliveries.map(({ message }) => message.event_id).join(' ');
  const subscriptions = over.subscriptions ?? [subscription(), subscription({ subscription_id: 'sub_2' })];
  const ports: DeliverPorts = {
    async lookUp(wanted) {
      asked.push(wanted);
      return {
        subscriptions: new Map(subscriptions.map((one) => [one.subscription_id, one])),
        secrets: new Map(
          subscriptions.map(({ subscription_id }) => [
            subscription_id,
            ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
          ]),
        ),
        records: new Map((over.records ?? []).map((record) => [record.message_id, record])),
        resources: new Map(over.resources ?? []),
        faults: new Map(over.faults ?? []),
      };
    },
    async post(request) {
      const eventId = eventOf(request.headers['webhook-id'] ?? '');
      posts.push(request);
      log.push(`post ${eventId}`);
      const answer = await (over.answer?.(eventId) ?? OK);
      nowMs += over.attemptTakesMs ?? 0;
      return answer;
    },
    async save(outcomes) {
      await over.save?.(outcomes);
      saved.push(...outcomes);
      if (outcomes.length > 0) {
        log.push(`save ${outcomes.map(({ record }) => record.event_id).join(' ')}`);
      }
    },
    async acknowledge(deliveries) {
      log.push(`acknowledge ${ids(deliveries)}`);
    },
    async returnSoon(deliveries) {
      if (deliveries.length > 0) {
        log.push(`return ${ids(deliveries)}`);
      }
    },
    observe: (one) => tried.push(one),
    observeFault: (error) => faults.push(error),
    observeRepeat: (message) => log.push(`repeat ${message.event_id}`),
    now: () => nowMs,
    after: () =>
      new Promise((resolve) => {
        elapse = resolve;
      }),
  };
  return { ports, log, saved, tried, posts, faults, asked, elapse: () => elapse() };
}

const eventNames = new Map<string, string>();
function eventOf(webhookId: string): string {
  return eventNames.get(webhookId) ?? webhookId;
}
function event(event_id: string, over: Partial<Delivery['message']> = {}, receiveCount = 1): Delivery {
  const subscription_id = over.subscription_id ?? 'sub_1';
  eventNames.set(messageId(event_id, subscription_id), event_id);
  return delivery({ event_id, subscription_id, ...over }, receiveCount);
}

/** The record of a message that was tried before. */
function recordOf(one: Delivery, over: Partial<MessageRecord>): MessageRecord {
  const { message } = one;
  return {
    message_id: message.message_id,
    event_id: message.event_id,
    service_id: message.service_id,
    subscription_id: message.subscription_id,
    payment_id: message.payment_id,
    ordering_key: `${message.subscription_id}.${message.payment_id}`,
    order_number: message.order_number,
    event_type: message.event_type,
    resource_type: message.resource_type,
    resource_id: message.resource_id,
    live: false,
    occurred_at: message.occurred_at,
    admitted_at: '2026-11-14T10:00:00.000Z',
    state: 'retrying',
    attempt_count: 1,
    body: '{"as":"sent"}',
    ...over,
  };
}

/** Lets everything that can happen without the clock happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

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

test('a second try is an item of its own, and the record keeps the first and its time to send', async () => {
  const one = event('a', {}, 2);
  const first_attempt = {
    attempt: 1,
    started_at: '2026-11-14T10:00:00.003Z',
    duration_ms: 5,
    status_code: 500,
  };
  const known = recordOf(one, {
    time_to_send_ms: 3,
    first_attempt,
    last_failure_class: 'http_status',
    last_status_code: 500,
  });
  const { ports, saved, posts } = world({ records: [known] });
  await deliver([one], ports);
  expect(saved).toMatchObject([
    {
      record: {
        state: 'succeeded',
        attempt_count: 2,
        time_to_send_ms: 3,
        first_attempt,
        last_status_code: 200,
      },
      laterAttempt: { attempt: 2, status_code: 200 },
    },
  ]);
  expect(saved[0]?.record).not.toHaveProperty('last_failure_class');
  expect(posts[0]).toMatchObject({ body: '{"as":"sent"}', headers: { 'webhook-attempt': '2' } });
});

describe('repeats', () => {
  test('a message that has succeeded is not sent again', async () => {
    const one = event('a', {}, 2);
    const { ports, log } = world({ records: [recordOf(one, { state: 'succeeded' })] });
    expect(await deliver([one], ports)).toEqual([]);
    expect(log).toEqual(['repeat a']);
  });

  test('the same message twice in a batch is sent once', async () => {
    const { ports, log } = world();
    const twice = [event('a'), { ...event('a'), recordId: 'another record' }];
    expect(await deliver(twice, ports)).toEqual([]);
    expect(log).toEqual(['post a', 'repeat a', 'save a']);
  });

  test('the same message twice in a batch has one outcome when it is refused', async () => {
    const { ports, saved } = world({ answer: () => BUSY });
    const twice = [event('a'), { ...event('a'), recordId: 'another record' }];
    expect(await deliver(twice, ports)).toEqual(['record of a', 'another record']);
    expect(saved.map(({ record }) => record.state)).toEqual(['retrying']);
  });

  test.each([
    ['was received before', event('a', {}, 2)],
    ['match may have sent before', event('a', { sent_before: true })],
    ['was admitted more than four minutes ago', event('a', { admitted_at_ms: TEN_O_CLOCK_MS - 240_001 })],
    ['happened more than four minutes ago', event('a', { occurred_at: '2026-11-14T09:55:00.000Z' })],
  ])('a message that %s is looked up in the history', async (_, one) => {
    const { ports, asked } = world();
    await deliver([one], ports);
    expect(asked[0]?.messageIds).toEqual([one.message.message_id]);
  });

  test('a fresh message is not looked up', async () => {
    const { ports, asked } = world();
    await deliver([event('a')], ports);
    expect(asked[0]?.messageIds).toEqual([]);
  });
});

test('a message that waited untried is then tried for the first time, with nothing missing', async () => {
  const one = event('a', {}, 2);
  const known = recordOf(one, { state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 });
  const { ports, saved } = world({ records: [known] });
  await deliver([one], ports);
  expect(saved[0]?.record).toMatchObject({ state: 'succeeded', attempt_count: 1, time_to_send_ms: 7 });
  expect(saved[0]?.record).not.toHaveProperty('state_reason');
  expect(saved[0]?.record.first_attempt).not.toHaveProperty('earlier_may_be_missing');
});

test('received before and yet not on record: the attempt says that an earlier one may be missing', async () => {
  const { ports, saved } = world();
  await deliver([event('a', {}, 2)], ports);
  expect(saved[0]?.record.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
});

test.each([
  [3, undefined],
  [4, true],
])(
  'tried at its second reception, and now at its %dth: an attempt may be missing: %s',
  async (receiveCount, missing) => {
    const one = event('a', {}, receiveCount);
    const { ports, saved } = world({ records: [recordOf(one, { receive_count: 2 })] });
    await deliver([one], ports);
    expect(saved[0]?.laterAttempt?.earlier_may_be_missing).toBe(missing);
  },
);

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

describe('early release', () => {
  test('after 250 ms finished records are recorded and let go while others are under way', async () => {
    const held = Promise.withResolvers<WireResult>();
    const { ports, log, elapse } = world({ answer: (id) => (id === 'slow' ? held.promise : OK) });
    const running = deliver([event('slow', { payment_id: 's' }), event('quick', { payment_id: 'q' })], ports);
    await settle();
    elapse();
    await settle();
    expect(log).toEqual(['post slow', 'post quick', 'save quick', 'acknowledge quick']);
    held.resolve(OK);
    expect(await running).toEqual([]);
    expect(log.at(-1)).toBe('save slow');
  });

  test('a key that failed is returned at once, not when the slowest is done', async () => {
    const held = Promise.withResolvers<WireResult>();
    const { ports, log, elapse } = world({ answer: (id) => (id === 'slow' ? held.promise : BUSY) });
    const running = deliver([event('slow', { payment_id: 's' }), event('busy', { payment_id: 'b' })], ports);
    await settle();
    elapse();
    await settle();
    expect(log).toContain('return busy');
    held.resolve(OK);
    expect(await running).toEqual(['record of busy']);
  });

  test('what could not be written early is written at the end', async () => {
    const held = Promise.withResolvers<WireResult>();
    let outage = true;
    const { ports, saved, faults, elapse } = world({
      answer: (id) => (id === 'slow' ? held.promise : OK),
      save: async () => {
        if (outage) throw new Error('DynamoDB is away');
      },
    });
    const running = deliver([event('slow', { payment_id: 's' }), event('quick', { payment_id: 'q' })], ports);
    await settle();
    elapse();
    await settle();
    expect(faults).toHaveLength(1);
    outage = false;
    held.resolve(OK);
    expect(await running).toEqual([]);
    expect(saved.map(({ record }) => record.event_id).sort()).toEqual(['quick', 'slow']);
  });
});

describe('faults of ours', () => {
  test('one that a single key meets leaves the others delivered and recorded', async () => {
    const { ports, log, faults } = world();
    const unreadable = event('a', { payment_id: 'a', resource: undefined });
    expect(await deliver([unreadable, event('b', { payment_id: 'b' })], ports)).toEqual(['record of a']);
    expect(log).toEqual(['post b', 'save b']);
    expect(faults).toHaveLength(1);
  });

  test('when the history cannot be written for long the batch fails, so that nothing is taken for done', async () => {
    const { ports } = world({
      save: async () => {
        throw new Error('DynamoDB is away');
      },
    });
    let nowMs = TEN_O_CLOCK_MS;
    const running = deliver([event('a')], {
      ...ports,
      now: () => nowMs,
      after: async (ms) => {
        nowMs += ms;
        await settle();
      },
    });
    await expect(running).rejects.toThrow('DynamoDB is away');
    expect(nowMs - TEN_O_CLOCK_MS).toBeGreaterThan(50_000);
    expect(nowMs - TEN_O_CLOCK_MS).toBeLessThan(60_000);
  });

  test('a short outage of the history sends nothing again', async () => {
    let failures = 3;
    const { ports, log } = world({
      save: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('DynamoDB is away');
      },
    });
    expect(await deliver([event('a')], { ...ports, after: () => settle() as Promise<void> })).toEqual([]);
    expect(log).toEqual(['post a', 'save a']);
  });

  test.each([['sub_1'], [messageId('a', 'sub_1')]])(
    'what cannot be read of %s is the fault of its key alone',
    async (id) => {
      const { ports, log, faults } = world({ faults: [[id, new Error('cannot be read')]] });
      const batch = [
        event('a', { payment_id: 'a' }),
        event('b', { payment_id: 'b', subscription_id: 'sub_2' }),
      ];
      expect(await deliver(batch, ports)).toEqual(['record of a']);
      expect(log).toEqual(['post b', 'save b']);
      expect(faults).toHaveLength(1);
    },
  );

  test('a message without a secret to sign with is not sent unsigned', async () => {
    const { ports, log } = world();
    const again = await deliver([event('a')], {
      ...ports,
      lookUp: async (wanted) => ({ ...(await ports.lookUp(wanted)), secrets: new Map() }),
    });
    expect(again).toEqual(['record of a']);
    expect(log).toEqual([]);
  });
});

test('a large resource is taken from the history, and not written again with the message', async () => {
  const { ports, posts, saved, asked } = world({ resources: [['bakery#a', '{"large":true}']] });
  await deliver([event('a', { resource: undefined })], ports);
  expect(asked[0]?.resourceKeys).toEqual(['bakery#a']);
  expect(posts[0]?.body).toContain('"resource":{"large":true}}');
  expect(saved[0]?.record).not.toHaveProperty('body');
});
