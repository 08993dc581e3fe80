import { groupsOf } from '../../../../console/stage/groups.ts';
import type { EndpointView } from '../../../../functions/core/trouble/endpoint-view.ts';
import { endpoint } from './endpoint.ts';

const answering = (status: number) =>
  ({ last_failure_class: 'http_status', last_status_code: status }) as const;
const seen = (...endpoints: EndpointView[]) =>
  groupsOf(endpoints).map(({ cause, endpoints: those }) => [
    cause,
    those.map(({ subscription_id }) => subscription_id),
  ]);

test('endpoints with the same trouble stand together, in the order in which they came', () => {
  expect(
    seen(
      endpoint('a', answering(503)),
      endpoint('b', { last_failure_class: 'timeout' }),
      endpoint('c', answering(503)),
      endpoint('d', answering(500)),
    ),
  ).toEqual([
    ['answers 503', ['a', 'c']],
    ['no answer in time', ['b']],
    ['answers 500', ['d']],
  ]);
});

test('what fails comes before what recovers, and that before what somebody stopped; the largest first', () => {
  expect(
    seen(
      endpoint('paused', { state: 'paused', health: 'paused', waiting: 900 }),
      endpoint('draining', { health: 'recovering', waiting: 800 }),
      endpoint('few', { last_failure_class: 'connect' }),
      endpoint('many', { last_failure_class: 'dns', waiting: 2 }),
      endpoint('by hand', { health: 'open by hand', waiting: 901 }),
    ).map(([cause]) => cause),
  ).toEqual(['host not found', 'no connection', 'recovering', 'stopped by hand', 'paused by its partner']);
});
