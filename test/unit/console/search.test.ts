import { foundBy, screenOf } from '../../../console/search/found.ts';

const SUBSCRIPTIONS = [
  { subscription_id: 'sub_1', description: 'my shop', callback_url: 'https://shop.example/hooks' },
  { subscription_id: 'sub_2', description: '', callback_url: 'https://books.example/in' },
];
const found = (typed: string) =>
  foundBy(typed, { subscriptions: SUBSCRIPTIONS }).map(({ what, name }) => `${what} ${name}`);

test.each([
  ['msg_1', ['Message msg_1']],
  ['pay_1', ['Payment pay_1']],
  [' sub_2 ', ['Subscription books.example']],
  ['https://SHOP.example/', ['Subscription my shop']],
  ['my shop', ['Subscription my shop']],
  // Anything may be the id of a payment.
  ['shop', ['Subscription my shop', 'Payment shop']],
  ['hu20sqlact', ['Payment hu20sqlact']],
  ['https://elsewhere.example/', []],
  ['', []],
])('%j leads to %j', (typed, hits) => {
  expect(found(typed)).toEqual(hits);
});

test('an id alone names its screen', () => {
  expect(['msg_1', 'sub_1', 'pay-1'].map((id) => screenOf(id).screen)).toEqual([
    'message',
    'subscription',
    'payment',
  ]);
});

test('over a whole stage a service is found by its id, and what is in trouble by service and host', () => {
  const endpoints = [
    { service_id: 'bakery', subscription_id: 'sub_9', callback_url: 'https://bakery.example/' },
  ];
  expect(foundBy('bak', { endpoints })).toMatchObject([
    { to: { screen: 'subscription', id: 'sub_9' }, service: 'bakery', name: 'bakery.example' },
    { to: { screen: 'subscriptions' }, service: 'bak' },
  ]);
  expect(foundBy('msg_1', { endpoints })).toEqual([]);
});
