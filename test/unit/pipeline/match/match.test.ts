import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { RefusedError } from '../../../../functions/core/errors/refused-error.ts';
import { NOT_PLAIN_TEXT } from '../../../../functions/core/text/plain-text.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import type { MatchPorts } from '../../../../functions/pipeline/match/ports.ts';
import { intake, paymentEvent, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { ALL, events, world } from './world.ts';

test('an event becomes one message for each subscription that wants it', async () => {
  const { ports, sent } = world({
    routes: {
      bakery: [
        ALL('sub_all'),
        { subscription_id: 'sub_captured', event_types: ['card_payment_captured'], live: false },
        { subscription_id: 'sub_failed', event_types: ['card_payment_failed'], live: false },
        { subscription_id: 'sub_live', event_types: ['*'], live: true },
      ],
    },
  });
  expect(await match([intake(paymentEvent())], ports, DELIVERY_POLICY)).toEqual([]);
  expect(sent.map(({ subscription_id }) => subscription_id)).toEqual(['sub_all', 'sub_captured']);
});

test('a message says what the event said, under the public name, with when and in which order it was admitted', async () => {
  const { ports, sent } = world();
  await match(
    [intake(paymentEvent({ event_type: 'CAPTURE_CONFIRMED' }), { orderNumber: '77' })],
    ports,
    DELIVERY_POLICY,
  );
  expect(sent).toEqual([
    {
      v: 1,
      message_id: expect.stringMatching(/^msg_[A-Za-z0-9_-]{40}$/),
      event_id: 'evt-1',
      service_id: 'bakery',
      subscription_id: 'sub_1',
      payment_id: 'pay-1',
      event_type: 'card_payment_captured',
      resource_type: 'payment',
      resource_id: 'pay-1',
      live: false,
      admitted_at_ms: TEN_O_CLOCK_MS,
      occurred_at: '2026-11-14T10:00:00.000Z',
      order_number: '77',
      resource: '{"amount":1000}',
    },
  ]);
});

test('the same event becomes the same message whenever it is matched, marked from the second time on', async () => {
  const { ports, sent } = world();
  await match([intake(paymentEvent())], ports, DELIVERY_POLICY);
  await match([intake(paymentEvent(), { receiveCount: 2 })], ports, DELIVERY_POLICY);
  expect(sent[1]?.message_id).toBe(sent[0]?.message_id);
  expect(sent.map(({ sent_before }) => sent_before)).toEqual([undefined, true]);
});

test('one event id used for two payments makes two messages', async () => {
  const { ports, sent } = world();
  const of = (payment_id: string) => intake(paymentEvent({ payment_id }));
  await match([of('pay-1'), of('pay-2')], ports, DELIVERY_POLICY);
  expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(2);
});

test('a batch asks for the routes of all its services once', async () => {
  const { ports, asked } = world();
  const of = (service_id: string, event_id: string) => intake(paymentEvent({ service_id, event_id }));
  await match([of('bakery', 'a'), of('florist', 'b'), of('bakery', 'c')], ports, DELIVERY_POLICY);
  expect(asked).toEqual([['bakery', 'florist']]);
});

test('an event that no subscription wants is counted and dropped', async () => {
  const { ports, sent, observed } = world();
  expect(await match([intake(paymentEvent({ service_id: 'unknown' }))], ports, DELIVERY_POLICY)).toEqual([]);
  expect(sent).toEqual([]);
  expect(observed[0]?.matched.map(({ messageCount }) => messageCount)).toEqual([0]);
});

describe('what cannot be used', () => {
  test.each([
    ['no JSON', '{', 'malformed', 'detail: '],
    ['no object', '[]', 'malformed', 'detail: '],
    ['no payment id', paymentEvent({ payment_id: undefined }), 'malformed', 'payment_id: '],
    ['a payment id of null', paymentEvent({ payment_id: null }), 'malformed', 'payment_id: '],
    ['a list for a payment id', paymentEvent({ payment_id: ['a'] }), 'malformed', 'payment_id: '],
    ['a payment id with a slash', paymentEvent({ payment_id: 'a/b' }), 'malformed', 'payment_id: '],
    ['an unknown type', paymentEvent({ event_type: 'SNEEZED' }), 'unknown_type', 'event_type: "SNEEZED"'],
    [
      'a resource nested too deeply',
      JSON.stringify(paymentEvent()).replace('1000', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      'malformed',
      'detail: is nested more than 100 levels deep',
    ],
    [
      'a member given twice',
      JSON.stringify(paymentEvent()).replace('1000', '1000,"amount":1'),
      'malformed',
      'detail: gives a member twice in one object: see character ',
    ],
    [
      'a resource id that turns text round',
      paymentEvent({ resource_id: 'pay\u202e1' }),
      'malformed',
      'resource_id: must have 1 to 64 characters, and must not contain control characters',
    ],
    [
      'half a character',
      paymentEvent({ resource_id: '\ud800' }),
      'malformed',
      'resource_id: must have 1 to 64 characters',
    ],
    [
      'a time whose year has five digits in UTC',
      paymentEvent({ occurred_at: '9999-12-31T23:59:59.999-00:01' }),
      'malformed',
      'occurred_at: must be within the years 0001 to 9999',
    ],
    [
      'an end before all years',
      paymentEvent({ expires_at: '0000-01-01T00:00:00+00:01' }),
      'malformed',
      'expires_at: must be within',
    ],
    ['no time', paymentEvent({ occurred_at: 'yesterday' }), 'malformed', 'occurred_at: '],
    [
      'too much',
      paymentEvent({ resource: { note: 'x'.repeat(262_144) } }),
      'too_large',
      'resource: 262155 bytes',
    ],
    [
      'too much around its resource',
      paymentEvent({ note: 'x'.repeat(524_288) }),
      'too_large',
      /^detail: 5\d{5} bytes, at most 524288 are taken$/,
    ],
  ])(
    'an event with %s is dead-lettered with its reason and holds nothing up',
    async (_, detail, reason, explanation) => {
      const { ports, sent, deadLettered } = world();
      const again = await match(
        [intake(detail, { recordId: 'bad' }), intake(paymentEvent({ event_id: 'next' }))],
        ports,
        DELIVERY_POLICY,
      );
      expect(again).toEqual([]);
      expect(deadLettered).toMatchObject([{ intake: { recordId: 'bad' }, reason }]);
      expect(deadLettered[0]?.explanation).toEqual(
        typeof explanation === 'string'
          ? expect.stringContaining(explanation)
          : expect.stringMatching(explanation),
      );
      expect(events(sent)).toEqual(['next']);
    },
  );

  test('is received again when it could not be dead-lettered', async () => {
    const { ports } = world();
    const again = await match(
      [intake('{', { recordId: 'bad' })],
      {
        ...ports,
        deadLetter: async (deadRecords) => deadRecords,
      },
      DELIVERY_POLICY,
    );
    expect(again).toEqual(['bad']);
  });
});

describe('large resources', () => {
  const large = { note: 'x'.repeat(17_000) };

  test('are kept once, and their messages travel without them', async () => {
    const { ports, sent, kept } = world({ routes: { bakery: [ALL('sub_1'), ALL('sub_2')] } });
    await match([intake(paymentEvent({ resource: large }))], ports, DELIVERY_POLICY);
    expect(kept).toEqual([['bakery#pay-1#evt-1', JSON.stringify(large)]]);
    expect(sent.map(({ resource }) => resource)).toEqual([undefined, undefined]);
  });

  test('are not stored when no subscription wants the event', async () => {
    const { ports, kept } = world({ routes: {} });
    await match([intake(paymentEvent({ resource: large }))], ports, DELIVERY_POLICY);
    expect(kept).toEqual([]);
  });
});

const ofService = (service_id: string, event_id: string) => intake(paymentEvent({ service_id, event_id }));

test('events of a service whose routes cannot be read are dead-lettered with the reason, and no others', async () => {
  const { ports, sent, deadLettered } = world({ unreadable: ['florist'] });
  expect(await match([ofService('florist', 'a'), ofService('bakery', 'b')], ports, DELIVERY_POLICY)).toEqual(
    [],
  );
  expect(deadLettered).toEqual([
    {
      intake: ofService('florist', 'a'),
      reason: 'routes_unreadable',
      explanation: 'the routing item of florist cannot be read',
    },
  ]);
  expect(events(sent)).toEqual(['b']);
});

test('events of a service whose routes could not be read now are received again, and no others', async () => {
  const { ports, sent, deadLettered, faults } = world({ untaken: ['florist'] });
  expect(await match([ofService('florist', 'a'), ofService('bakery', 'b')], ports, DELIVERY_POLICY)).toEqual([
    'record of a',
  ]);
  expect(events(sent)).toEqual(['b']);
  expect(deadLettered).toEqual([]);
  expect(faults).toHaveLength(1);
});

test.each([
  ['12345678901234567891'],
  ['-0.1234567890123456789'],
  ['1e400'],
  ['123456789012345678e-3'],
  ['1000000000000000000000'],
  ['999999999999999.99'],
  ['10.50'],
  ['-0'],
])('the number %s reaches the partner as it was written', async (number) => {
  const { ports, sent } = world();
  const body = JSON.stringify(paymentEvent()).replace('{"amount":1000}', `{"amount":${number}}`);
  await match([intake(body)], ports, DELIVERY_POLICY);
  expect(sent[0]?.resource).toBe(`{"amount":${number}}`);
});

test.each([
  ['{"__proto__":1,"":2}'],
  ['{"constructor":"1"}'],
  ['{"toString":null,"hasOwnProperty":0}'],
  ['{"10":1,"2":2}'],
])('members of the resource may have any name, and keep their order: %s', async (resource) => {
  const { ports, sent } = world();
  const body = JSON.stringify(paymentEvent()).replace('{"amount":1000}', resource);
  await match([intake(body)], ports, DELIVERY_POLICY);
  expect(sent[0]?.resource).toBe(resource);
});

describe('when the queue does not take a message', () => {
  test('its event is received again, and so do the later ones of its ordering key, unsent; all else continues', async () => {
    const { ports, sent } = world({ refuse: ({ event_id }) => event_id === 'a1' });
    const of = (event_id: string, payment_id: string) => intake(paymentEvent({ event_id, payment_id }));
    const again = await match(
      [of('a1', 'a'), of('b1', 'b'), of('a2', 'a'), of('b2', 'b'), of('a3', 'a')],
      ports,
      DELIVERY_POLICY,
    );
    expect(again).toEqual(['record of a1', 'record of a2', 'record of a3']);
    expect(events(sent)).toEqual(['b1', 'b2']);
  });

  test('another subscription of the same payment is not held back', async () => {
    const { ports, sent } = world({
      routes: { bakery: [ALL('sub_1'), ALL('sub_2')] },
      refuse: ({ subscription_id }) => subscription_id === 'sub_1',
    });
    const of = (event_id: string) => intake(paymentEvent({ event_id }));
    expect(await match([of('a1'), of('a2')], ports, DELIVERY_POLICY)).toEqual([
      'record of a1',
      'record of a2',
    ]);
    expect(sent.map((one) => `${one.event_id} ${one.subscription_id}`)).toEqual(['a1 sub_2', 'a2 sub_2']);
  });
});

describe('a call that fails for one event', () => {
  const large = { note: 'x'.repeat(17_000) };
  const fails = () => Promise.reject(new Error('not this one'));
  const ofPayment = (event_id: string, payment_id: string, resource: unknown = {}) =>
    intake(paymentEvent({ event_id, payment_id, resource }));

  test('brings back that event and what is behind it in its payment: its resource is not kept', async () => {
    const { ports, sent, faults } = world();
    const keepResource: MatchPorts['keepResource'] = async (event) =>
      event.event_id === 'a1' ? fails() : undefined;
    const again = await match(
      [ofPayment('a1', 'a', large), ofPayment('b1', 'b', large), ofPayment('a2', 'a'), ofPayment('c1', 'c')],
      { ...ports, keepResource },
      DELIVERY_POLICY,
    );
    expect(again).toEqual(['record of a1', 'record of a2']);
    expect(events(sent)).toEqual(['b1', 'c1']);
    expect(faults).toHaveLength(1);
  });

  test('is dead-lettered when the store refuses its resource', async () => {
    const { ports, sent, deadLettered } = world();
    const keepResource = () => Promise.reject(new RefusedError('too large'));
    const again = await match(
      [ofPayment('a1', 'a', large), ofPayment('a2', 'a')],
      {
        ...ports,
        keepResource,
      },
      DELIVERY_POLICY,
    );
    expect(again).toEqual([]);
    expect(deadLettered).toMatchObject([{ reason: 'unstorable', explanation: 'too large' }]);
    expect(events(sent)).toEqual(['a2']);
  });

  test('brings back the events of that service: its routes are not read', async () => {
    const { ports, sent, faults } = world({ routes: { bakery: [ALL('sub_1')], florist: [ALL('sub_2')] } });
    const routesOf: MatchPorts['routesOf'] = (ids) =>
      ids.includes('florist') ? fails() : ports.routesOf(ids);
    const again = await match(
      [ofService('florist', 'a'), ofService('bakery', 'b'), ofService('florist', 'c')],
      { ...ports, routesOf },
      DELIVERY_POLICY,
    );
    expect(again).toEqual(['record of a', 'record of c']);
    expect(events(sent)).toEqual(['b']);
    expect(faults).toHaveLength(1);
  });

  test('brings back that event, and the later ones of its ordering key: its message is not sent', async () => {
    const { ports, sent } = world();
    const send: MatchPorts['send'] = (messages) =>
      messages.some(({ event_id }) => event_id === 'a1') ? fails() : ports.send(messages);
    const again = await match(
      [ofPayment('a1', 'a'), ofPayment('b1', 'b'), ofPayment('a2', 'a')],
      {
        ...ports,
        send,
      },
      DELIVERY_POLICY,
    );
    expect(again).toEqual(['record of a1', 'record of a2']);
    expect(events(sent)).toEqual(['b1']);
  });

  test('brings back that event alone: it cannot be dead-lettered', async () => {
    const { ports, sent, deadLettered } = world();
    const bad = (recordId: string) => intake('{', { recordId });
    const deadLetter: MatchPorts['deadLetter'] = (deadRecords) =>
      deadRecords.some(({ intake: { recordId } }) => recordId === 'bad 1')
        ? fails()
        : ports.deadLetter(deadRecords);
    expect(
      await match(
        [bad('bad 1'), ofPayment('a1', 'a'), bad('bad 2')],
        { ...ports, deadLetter },
        DELIVERY_POLICY,
      ),
    ).toEqual(['bad 1']);
    expect(deadLettered.map(({ intake: { recordId } }) => recordId)).toEqual(['bad 2']);
    expect(events(sent)).toEqual(['a1']);
  });
});

test.each(['resource_id', 'gateway_account_id', 'event_type'])(
  'half of a surrogate pair in %s makes an event malformed',
  async (name) => {
    const { ports, deadLettered } = world();
    const detail = JSON.stringify(paymentEvent({ [name]: 'x\ud800' }));
    expect(await match([intake(detail)], ports, DELIVERY_POLICY)).toEqual([]);
    expect(deadLettered).toMatchObject([{ reason: 'malformed' }]);
    expect(deadLettered[0]?.explanation).toMatch(new RegExp(`^${name}: .*${NOT_PLAIN_TEXT}$`));
  },
);

test('half of a surrogate pair in the resource does not stop the event: it reaches partners as U+FFFD', async () => {
  const { ports, sent } = world();
  await match(
    [intake(JSON.stringify(paymentEvent({ resource: { note: 'cut \ud83d' } })))],
    ports,
    DELIVERY_POLICY,
  );
  expect(sent[0]?.resource).toBe('{"note":"cut \uFFFD"}');
});

test('an event that ends its workers is dead-lettered unread', async () => {
  const { ports, sent, deadLettered, asked, observed } = world();
  const killer = { explanation: 'three workers died', killsReaders: false };
  expect(await match([intake('{', { recordId: 'bad' })], ports, DELIVERY_POLICY, killer)).toEqual([]);
  expect(deadLettered).toMatchObject([
    { intake: { recordId: 'bad' }, reason: 'kills_worker', explanation: 'three workers died' },
  ]);
  expect(observed).toMatchObject([{ deadLettered }]);
  expect([sent, asked]).toEqual([[], []]);
});
