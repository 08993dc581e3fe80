import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import { intake, paymentEvent } from '../../../support/builders.ts';
import { ALL, world } from './world.ts';

const DEAR = JSON.stringify({ resource: { amount: [{ numeric: ['>', 1_000] }] } });
const of = (amount: number, over: object = {}) =>
  paymentEvent({ event_id: `evt-${amount}`, resource: { amount, text: 'x' }, ...over });
/** Too large to travel with each message. */
const LARGE = { text: 'x'.repeat(20_000), list: Array(10).fill('y'.repeat(2_000)) };

test('a subscription gets the events that its filter takes', async () => {
  const { ports, sent } = world({
    routes: { bakery: [ALL('sub_all'), { ...ALL('sub_dear'), filter: DEAR }] },
  });
  await match([intake(of(1_000)), intake(of(1_001))], ports, DELIVERY_POLICY);
  expect(sent.map(({ event_id, subscription_id }) => [event_id, subscription_id])).toEqual([
    ['evt-1000', 'sub_all'],
    ['evt-1001', 'sub_dear'],
    ['evt-1001', 'sub_all'],
  ]);
});

test('a filter sees numbers to the last digit', async () => {
  const filter = '{"resource":{"amount":[{"numeric":["=","9007199254740993"]}]}}';
  const { ports, sent } = world({ routes: { bakery: [{ ...ALL('sub_1'), filter }] } });
  const body = (digits: string) => JSON.stringify(of(1)).replace('"amount":1', `"amount":${digits}`);
  await match(
    ['9007199254740992', '9007199254740993'].map((digits) => intake(body(digits), { recordId: digits })),
    ports,
    DELIVERY_POLICY,
  );
  expect(sent.map(({ resource }) => resource)).toEqual(['{"amount":9007199254740993,"text":"x"}']);
});

test('positions have no holes where a filter left events out, though they waited for their turn', async () => {
  const { ports, sent } = world({ routes: { bakery: [{ ...ALL('sub_dear'), filter: DEAR }] } });
  const numbered = [
    of(4_000, { sequence: 4, resource: { amount: 4_000, ...LARGE } }),
    of(2_000, { sequence: 2 }),
    of(3, { sequence: 3, resource: { amount: 3, ...LARGE } }),
    of(1_001, { sequence: 1 }),
  ];
  for (const [index, event] of numbered.entries()) {
    await match([intake(event, { orderNumber: `0${index}`, recordId: `${index}` })], ports, DELIVERY_POLICY);
  }
  expect(sent.map(({ sequence, position }) => [sequence, position])).toEqual([
    [1, 1],
    [2, 2],
    [4, 3],
  ]);
  expect(sent[2]?.previous_message_id).toBe(sent[1]?.message_id);
});

test('a large resource that no filter takes is not stored', async () => {
  const { ports, sent, kept } = world({ routes: { bakery: [{ ...ALL('sub_dear'), filter: DEAR }] } });
  const large = (amount: number) => intake(of(amount, { resource: { amount, ...LARGE } }));
  await match([large(1)], ports, DELIVERY_POLICY);
  expect([sent, kept]).toEqual([[], []]);
  await match([large(2_000)], ports, DELIVERY_POLICY);
  expect(kept).toHaveLength(1);
  expect(sent).toMatchObject([{ event_id: 'evt-2000' }]);
});

test('a message has the fields that its subscription asks for, and says which', async () => {
  const { ports, sent, kept } = world({
    routes: { bakery: [{ ...ALL('sub_few'), fields: ['/amount'] }, ALL('sub_all')] },
  });
  await match([intake(of(1)), intake(of(2, { resource: { amount: 2, ...LARGE } }))], ports, DELIVERY_POLICY);
  const told = sent.map(({ subscription_id, resource, fields }) => [subscription_id, resource, fields]);
  expect(told).toEqual([
    ['sub_few', '{"amount":1}', ['/amount']],
    ['sub_all', '{"amount":1,"text":"x"}', undefined],
    ['sub_few', '{"amount":2}', ['/amount']],
    ['sub_all', undefined, undefined],
  ]);
  expect(kept).toHaveLength(1);
  expect(recordOf(sent[0]!)).toMatchObject({ fields: ['/amount'], resource: '{"amount":1}' });
});

test('an early event with a large resource keeps it for fields', async () => {
  const { ports, sent } = world({ routes: { bakery: [{ ...ALL('sub_few'), fields: ['/list'] }] } });
  await match(
    [intake(of(2, { sequence: 2, resource: { amount: 2, ...LARGE } }), { recordId: 'b' })],
    ports,
    DELIVERY_POLICY,
  );
  await match([intake(of(1, { sequence: 1 }), { recordId: 'a' })], ports, DELIVERY_POLICY);
  expect(sent.map(({ resource }) => resource)).toEqual(['{}', JSON.stringify({ list: LARGE.list })]);
});
