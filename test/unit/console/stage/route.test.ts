import { hrefOf, routeOf, serviceIn } from '../../../../console/app/route.ts';

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
