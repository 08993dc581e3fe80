import { codeIn, hrefOf, type Route, routeOf } from '../../../console/app/route.ts';

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
