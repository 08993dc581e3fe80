import type { Received } from '../../../../../cli/operator/redrive/dead-letter.ts';
import { planOf } from '../../../../../cli/operator/redrive/plan.ts';
import {
  readDeliveryDeadLetter,
  readEventDeadLetter,
  readRuleDeadLetter,
  readTimerDeadLetter,
} from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import { gapSignal } from '../../../../../functions/core/signal/gap-signal.ts';
import type { ShardCount } from '../../../../../lib/shards.ts';
import { message, paymentEvent } from '../../../../support/builders.ts';
import { messageDeadLetter, received } from './dead-letter-world.ts';

const ofRule = (letter: Received) => readRuleDeadLetter(letter, 16);

describe('a dead letter of deliveries', () => {
  test('that SQS has put there goes back as it is, marked to be looked up in the history', () => {
    const deadLetter = readDeliveryDeadLetter(messageDeadLetter('pay-1', 7));
    expect(deadLetter).toMatchObject({
      key: 'sub_1.pay-1',
      what: expect.stringMatching(/^msg_\S+ card_payment_captured$/),
      reason: '100 tries',
      isUsable: true,
      position: '000000000000000000000000000000000000007',
      goes: { group: 'sub_1.pay-1' },
    });
    expect(JSON.parse(deadLetter.goes.body)).toEqual({
      ...message({ payment_id: 'pay-1', event_id: 'pay-1-7', order_number: '00000000000000000007' }),
      sent_before: true,
    });
  });

  test('that a newer version wrote stays as it is, in its own group', () => {
    const body = '{"v":2,"message_id":"msg_1"}';
    expect(readDeliveryDeadLetter(received({ body, group: 'sub_1.pay-1' }))).toMatchObject({
      what: 'msg_1',
      reason: 'unreadable',
      isUsable: false,
      goes: { body, group: 'sub_1.pay-1' },
    });
  });

  test.each([
    ['resume', true],
    ['release', true],
    ['skip', false],
  ])(
    'that is the signal %s: usable is %s, since what was first then may not be first now',
    (wanted, isUsable) => {
      const body = JSON.stringify({
        v: 1,
        service_id: 's',
        subscription_id: 'sub_1',
        payment_id: 'p',
        signal_kind: wanted,
      });
      expect(readDeliveryDeadLetter(received({ body }))).toMatchObject({
        key: 'sub_1.p',
        what: `signal: ${wanted}`,
        isUsable,
      });
    },
  );
});

describe('a dead letter that the worker has put aside', () => {
  const attributes = (Reason: string) => ({ Reason, Explanation: 'see routes' });

  test.each([
    ['routes_unreadable', true],
    ['sequence_unreadable', true],
    ['malformed', false],
    ['unstorable', false],
  ])('as %s: of an event, usable as it is: %s', (reason, isUsable) => {
    const body = JSON.stringify(paymentEvent());
    const deadLetter = readEventDeadLetter(
      received({ body, group: 'shard-07', attributes: attributes(reason) }),
    );
    expect(deadLetter).toMatchObject({ reason, explanation: 'see routes', isUsable });
  });

  test.each([
    ['key_unreadable', true],
    ['unstorable', false],
  ])('as %s: of a message, usable as it is: %s', (reason, isUsable) => {
    const deadLetter = readDeliveryDeadLetter({
      ...messageDeadLetter('pay-1', 7),
      attributes: attributes(reason),
    });
    expect(deadLetter).toMatchObject({
      reason,
      isUsable,
      position: '000000000000000000000000000000000000007',
    });
  });
});

test('a dead letter that was cut can never go back, whatever its reason was', () => {
  const attributes = { Reason: 'routes_unreadable', Explanation: 'x', CutFrom: '1048576' };
  const deadLetter = readEventDeadLetter(
    received({ body: '{"event_id":"evt-1","resou', group: 'shard-07', attributes }),
  );
  expect(deadLetter).toMatchObject({ isUsable: false, isCut: true, key: 'shard-07' });
  const { batches, stays } = planOf([deadLetter], { alsoUnusable: true, again: true, limit: 10 });
  expect(batches).toEqual([]);
  expect(stays).toEqual([{ deadLetter, why: 'cut' }]);
});

test('what EventBridge could not deliver goes to the shard of its payment on this stage', () => {
  const letter = received({ body: JSON.stringify(paymentEvent({ payment_id: 'pay-z' })) });
  expect([16, 64].map((shards) => readRuleDeadLetter(letter, shards as ShardCount).goes.group)).toEqual([
    'shard-03',
    'shard-35',
  ]);
});

test('what EventBridge could not deliver is not put on a queue whose worker would put it aside for its size', () => {
  const detail = paymentEvent({ note: 'x'.repeat(524_288) });
  expect(ofRule(received({ body: JSON.stringify({ 'detail-type': 'x', detail }) }))).toMatchObject({
    isUsable: false,
    reason: 'too_large',
    explanation: expect.stringMatching(/^detail: \d+ bytes, at most 524288 are taken$/),
  });
});

describe('a dead letter of events', () => {
  test('goes back to the shard that it came from', () => {
    const body = JSON.stringify(paymentEvent({ payment_id: 'pay-7' }));
    expect(readEventDeadLetter(received({ body, group: 'shard-07' }))).toMatchObject({
      key: 'pay-7',
      what: 'evt-1 CAPTURE_CONFIRMED',
      reason: '100 tries',
      isUsable: true,
      goes: { body, group: 'shard-07' },
    });
  });

  test('that asks to look at a gap says so, and goes back to the group of its payment', () => {
    const body = JSON.stringify(gapSignal({ service_id: 's', payment_id: 'pay-7', group: 'shard-07' }));
    expect(readEventDeadLetter(received({ body, group: 'shard-07' }))).toMatchObject({
      key: 'pay-7',
      what: 'gap',
      isUsable: true,
      goes: { body, group: 'shard-07' },
    });
  });

  test.each(['malformed', 'unknown_type', 'too_large'])(
    'that match has put aside as %s is not usable',
    (Reason) => {
      const attributes = { Reason, Explanation: 'event_type: "SNEEZED"' };
      expect(readEventDeadLetter(received({ body: '{}', group: 'rest', attributes }))).toMatchObject({
        key: 'rest',
        reason: Reason,
        explanation: 'event_type: "SNEEZED"',
        isUsable: false,
        goes: { group: 'rest' },
      });
    },
  );

  test('that has been taken apart remembers its shard and its place', () => {
    const body = JSON.stringify(paymentEvent());
    const attributes = { OriginalGroup: 'shard-01', OriginalPosition: '2026 00000004' };
    expect(readEventDeadLetter(received({ body, group: 'apart-1', attributes }))).toMatchObject({
      position: '2026 00000004',
      goes: { group: 'shard-01' },
    });
  });
});

describe('a dead letter of a rule', () => {
  const why = { ERROR_CODE: 'NO_PERMISSIONS', ERROR_MESSAGE: 'may not send', RULE_ARN: 'arn' };
  const detail = paymentEvent({ payment_id: 'pay-7', sequence: 3 });
  const envelope = { version: '0', id: '1', 'detail-type': 'payment event', source: 'payments', detail };

  test.each([
    ['the whole event', envelope],
    ['the detail alone', detail],
  ])('holding %s, goes to its shard as the detail', (_, body) => {
    expect(
      ofRule(received({ body: JSON.stringify(body), group: undefined as never, attributes: why })),
    ).toMatchObject({
      key: 'pay-7',
      reason: 'NO_PERMISSIONS',
      explanation: 'may not send',
      isUsable: true,
      goes: { body: JSON.stringify(detail), group: 'shard-07' },
    });
  });

  test('keeps numbers as the publisher wrote them', () => {
    const text = JSON.stringify(envelope).replace('"amount":1000', '"amount":1000.00000000000000000001');
    expect(ofRule(received({ body: text })).goes.body).toContain('1000.00000000000000000001');
  });

  test('with a member given twice is not usable, and says where it is', () => {
    const text = JSON.stringify(envelope).replace('"amount":1000', '"amount":1000,"amount":1');
    expect(ofRule(received({ body: text }))).toMatchObject({
      reason: 'malformed',
      explanation: expect.stringMatching(/^detail: gives a member twice in one object: see character \d+$/),
      isUsable: false,
      goes: { body: text },
    });
  });

  test('has its place by when it happened, whatever the offset it was written in; then by its sequence', () => {
    const position = (over: object) =>
      ofRule(received({ body: JSON.stringify({ ...detail, ...over }) })).position ?? '';
    const morning = position({ occurred_at: '2026-11-14T10:30:00.000+01:00' });
    expect(morning < position({ occurred_at: '2026-11-14T09:31:00.000Z' })).toBe(true);
    expect(position({ sequence: 9 }) < position({ sequence: 10 })).toBe(true);
  });

  test('that match would put aside is not usable, and would go where the rest goes', () => {
    expect(ofRule(received({ body: '{"detail":{},"detail-type":"x"}' }))).toMatchObject({
      reason: 'malformed',
      isUsable: false,
      goes: { body: '{}', group: 'rest' },
    });
  });
});

describe('a dead letter of retry-timers', () => {
  test.each([
    [
      { v: 1, kind: 'circuit', service_id: 's', subscription_id: 'sub_1', generation: 4 },
      'sub_1',
      'circuit timer 4',
    ],
    [
      {
        v: 1,
        kind: 'signal',
        service_id: 's',
        subscription_id: 'sub_1',
        payment_id: 'p',
        signal_kind: 'resume',
      },
      'sub_1.p',
      'signal: resume',
    ],
    [{ v: 1, kind: 'gap', service_id: 's', payment_id: 'p', group: 'shard-01' }, 's#p', 'gap timer'],
  ])('goes back as it is', (timer, key, what) => {
    const body = JSON.stringify(timer);
    expect(readTimerDeadLetter(received({ body }))).toMatchObject({
      key,
      what,
      isUsable: true,
      goes: { body },
    });
  });

  test('that is no timer is not usable', () => {
    expect(readTimerDeadLetter(received({ body: 'nonsense' }))).toMatchObject({
      isUsable: false,
      reason: 'unreadable',
    });
  });
});
