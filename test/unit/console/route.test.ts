import { codeIn, hrefOf, type Route, routeOf, serviceIn } from '../../../console/app/route.ts';
import { foundBy, screenOf } from '../../../console/search/found.ts';

const ROUTES: readonly Route[] = [
  { screen: 'subscriptions' },
  { screen: 'new' },
  { screen: 'subscription', id: 'sub_1' },
  { screen: 'edit', id: 'sub_1' },
  { screen: 'secrets', id: 'sub_1' },
  { screen: 'recover', id: 'sub_1' },
  { screen: 'recover', id: 'sub_1', recovery: 'rec_1' },
  { screen: 'recover', id: 'sub_1', filter: { state: 'exhausted', since: '2026-11-23T11:00:00.000Z' } },
  { screen: 'messages', id: 'sub_1', filter: {} },
  { screen: 'messages', id: 'sub_1', filter: { state: 'parked' }, open: 'msg_1' },
  {
    screen: 'messages',
    id: 'sub_1',
    filter: { state: 'parked', payment_id: 'pay_1', since: '2026-11-23T11:00:00.000Z' },
  },
  { screen: 'message', id: 'msg_1' },
  { screen: 'payment' },
  { screen: 'payment', id: 'a/b?c#d %' },
  { screen: 'changes' },
  { screen: 'changes', subscription: 'sub_1' },
];

test.each(ROUTES)('the address of %j leads back to it', (route) => {
  expect(routeOf(hrefOf(route))).toEqual(route);
});

test.each(['', '#', '#/', '#/subscriptions'])('the address %j is the list of subscriptions', (hash) => {
  expect(routeOf(hash)).toEqual({ screen: 'subscriptions' });
});

test.each([
  '#/nothing',
  '#/subscriptions/sub_1/nothing',
  '#/messages',
  '#/messages/a/b',
  '#/changes/a',
  '#/payments/a/b',
])('the address %j leads nowhere, and says so', (hash) => {
  expect(routeOf(hash)).toEqual({ screen: 'nowhere' });
});

test('the address of a recovery that was started says nothing else', () => {
  expect(routeOf('#/subscriptions/sub_1/recover?state=exhausted&recovery_id=rec_1')).toEqual({
    screen: 'recover',
    id: 'sub_1',
    recovery: 'rec_1',
  });
});

test('a stray percent sign in an address is taken as it stands', () => {
  expect(routeOf('#/messages/100%')).toEqual({ screen: 'message', id: '100%' });
});

test('parameters that are no filters are dropped', () => {
  expect(routeOf('#/subscriptions/sub_1/messages?state=parked&evil=1')).toEqual({
    screen: 'messages',
    id: 'sub_1',
    filter: { state: 'parked' },
  });
});

test('a link from the portal carries a code, other addresses do not', () => {
  expect(codeIn('#code=abc_DEF-1')).toBe('abc_DEF-1');
  expect(codeIn('#/subscriptions?code=abc')).toBeUndefined();
  expect(codeIn('')).toBeUndefined();
});

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

test('an address of a session of the stage names the service, and the same screen', () => {
  const address = hrefOf({ screen: 'message', id: 'msg_1' }, 'a/b c');
  expect(address).toBe('#/services/a%2Fb%20c/messages/msg_1');
  expect(serviceIn(address)).toBe('a/b c');
  expect(routeOf(address)).toEqual({ screen: 'message', id: 'msg_1' });
  expect(routeOf('#/services/shop')).toEqual({ screen: 'subscriptions' });
});

test('health is of no service, and neither is the address of a partner', () => {
  expect(hrefOf({ screen: 'health' }, 'shop')).toBe('#/health');
  expect(routeOf('#/health')).toEqual({ screen: 'health' });
  expect(serviceIn('#/subscriptions/services/x')).toBeUndefined();
  expect(serviceIn('#/services/')).toBeUndefined();
});
