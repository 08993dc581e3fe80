import type { Message } from '../../../functions/core/message.ts';
import type { Route } from '../../../functions/core/subscription.ts';
import { type Burial, type MatchOutcome, type MatchPorts, match } from '../../../functions/match/match.ts';
import { admission, paymentEvent, TEN_O_CLOCK_MS } from '../../support/builders.ts';

const ALL = (subscription_id: string): Route => ({ subscription_id, event_types: ['*'], live: false });

/** Ports in memory that keep their promises; `refuse` names messages that the queue does not take. */
function world(
  over: {
    routes?: Record<string, Route[]>;
    unreadable?: string[];
    refuse?: (message: Message) => boolean;
  } = {},
) {
  const routes = over.routes ?? { bakery: [ALL('sub_1')] };
  const sent: Message[] = [];
  const batches: Message[][] = [];
  const buried: Burial[] = [];
  const kept: [string, string][] = [];
  const asked: string[][] = [];
  const observed: MatchOutcome[] = [];
  const ports: MatchPorts = {
    async routesOf(serviceIds) {
      asked.push([...serviceIds]);
      return {
        routes: new Map(Object.entries(routes).filter(([id]) => serviceIds.includes(id))),
        unreadable: new Set((over.unreadable ?? []).filter((id) => serviceIds.includes(id))),
      };
    },
    async keepResource(eventId, resource) {
      kept.push([eventId, resource]);
    },
    async send(messages) {
      batches.push([...messages]);
      const refused = messages.filter((message) => over.refuse?.(message) ?? false);
      sent.push(...messages.filter((message) => !refused.includes(message)));
      return refused;
    },
    async bury(burials) {
      buried.push(...burials);
      return [];
    },
    observe: (outcome) => observed.push(outcome),
  };
  return { ports, sent, batches, buried, kept, asked, observed };
}

const events = (messages: readonly Message[]) => messages.map(({ event_id }) => event_id);

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
  expect(await match([admission(paymentEvent())], ports)).toEqual([]);
  expect(sent.map(({ subscription_id }) => subscription_id)).toEqual(['sub_all', 'sub_captured']);
});

test('a message says what the event said, under the public name, with when and in which order it was admitted', async () => {
  const { ports, sent } = world();
  await match([admission(paymentEvent({ event_type: 'CAPTURE_CONFIRMED' }), { orderNumber: '77' })], ports);
  expect(sent).toEqual([
    {
      v: 1,
      message_id: expect.stringMatching(/^msg_[A-Za-z0-9_-]{24}$/),
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
  await match([admission(paymentEvent())], ports);
  await match([admission(paymentEvent(), { receiveCount: 2 })], ports);
  expect(sent[1]?.message_id).toBe(sent[0]?.message_id);
  expect(sent.map(({ sent_before }) => sent_before)).toEqual([undefined, true]);
});

test('a batch asks for the routes of all its services once', async () => {
  const { ports, asked } = world();
  const of = (service_id: string, event_id: string) => admission(paymentEvent({ service_id, event_id }));
  await match([of('bakery', 'a'), of('florist', 'b'), of('bakery', 'c')], ports);
  expect(asked).toEqual([['bakery', 'florist']]);
});

test('an event that nobody wants is counted and forgotten', async () => {
  const { ports, sent, observed } = world();
  expect(await match([admission(paymentEvent({ service_id: 'unknown' }))], ports)).toEqual([]);
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
      'resource: nested too deeply',
    ],
    ['no time', paymentEvent({ occurred_at: 'yesterday' }), 'malformed', 'occurred_at: '],
    [
      'too much',
      paymentEvent({ resource: { note: 'x'.repeat(262_144) } }),
      'too_large',
      'resource: 262155 bytes',
    ],
  ])(
    'an event with %s is buried with its reason and holds nothing up',
    async (_, detail, reason, explanation) => {
      const { ports, sent, buried } = world();
      const again = await match(
        [admission(detail, { recordId: 'bad' }), admission(paymentEvent({ event_id: 'next' }))],
        ports,
      );
      expect(again).toEqual([]);
      expect(buried).toMatchObject([{ admission: { recordId: 'bad' }, reason }]);
      expect(buried[0]?.explanation).toContain(explanation);
      expect(events(sent)).toEqual(['next']);
    },
  );

  test('comes again when it could not be buried', async () => {
    const { ports } = world();
    const again = await match([admission('{', { recordId: 'bad' })], {
      ...ports,
      bury: async (burials) => burials,
    });
    expect(again).toEqual(['bad']);
  });
});

describe('large resources', () => {
  const large = { note: 'x'.repeat(17_000) };

  test('are kept once, and their messages travel without them', async () => {
    const { ports, sent, kept } = world({ routes: { bakery: [ALL('sub_1'), ALL('sub_2')] } });
    await match([admission(paymentEvent({ resource: large }))], ports);
    expect(kept).toEqual([['bakery#evt-1', JSON.stringify(large)]]);
    expect(sent.map(({ resource }) => resource)).toEqual([undefined, undefined]);
  });

  test('are not kept when nobody wants the event', async () => {
    const { ports, kept } = world({ routes: {} });
    await match([admission(paymentEvent({ resource: large }))], ports);
    expect(kept).toEqual([]);
  });
});

test('a service whose routes cannot be read holds up its own events only', async () => {
  const { ports, sent } = world({ unreadable: ['florist'] });
  const of = (service_id: string, event_id: string) => admission(paymentEvent({ service_id, event_id }));
  expect(await match([of('florist', 'a'), of('bakery', 'b')], ports)).toEqual(['record of a']);
  expect(events(sent)).toEqual(['b']);
});

test.each([
  ['12345678901234567891'],
  ['-0.1234567890123456789'],
  ['1e400'],
  ['123456789012345678e-3'],
  ['1000000000000000000000'],
])('the number %s reaches the partner as it was written', async (number) => {
  const { ports, sent } = world();
  const body = JSON.stringify(paymentEvent()).replace('{"amount":1000}', `{"amount":${number}}`);
  await match([admission(body)], ports);
  expect(sent[0]?.resource).toBe(`{"amount":${number}}`);
});

test('a member of the resource may have any name', async () => {
  const { ports, sent } = world();
  const body = JSON.stringify(paymentEvent()).replace('{"amount":1000}', '{"__proto__":1,"":2}');
  await match([admission(body)], ports);
  expect(sent[0]?.resource).toBe('{"__proto__":1,"":2}');
});

describe('when the queue does not take a message', () => {
  test('its event comes again, and so do the later ones of its key, unsent; all else goes on', async () => {
    const { ports, sent } = world({ refuse: ({ event_id }) => event_id === 'a1' });
    const of = (event_id: string, payment_id: string) => admission(paymentEvent({ event_id, payment_id }));
    const again = await match(
      [of('a1', 'a'), of('b1', 'b'), of('a2', 'a'), of('b2', 'b'), of('a3', 'a')],
      ports,
    );
    expect(again).toEqual(['record of a1', 'record of a2', 'record of a3']);
    expect(events(sent)).toEqual(['b1', 'b2']);
  });

  test('another subscription of the same payment is not held back', async () => {
    const { ports, sent } = world({
      routes: { bakery: [ALL('sub_1'), ALL('sub_2')] },
      refuse: ({ subscription_id }) => subscription_id === 'sub_1',
    });
    const of = (event_id: string) => admission(paymentEvent({ event_id }));
    expect(await match([of('a1'), of('a2')], ports)).toEqual(['record of a1', 'record of a2']);
    expect(sent.map((one) => `${one.event_id} ${one.subscription_id}`)).toEqual(['a1 sub_2', 'a2 sub_2']);
  });
});
