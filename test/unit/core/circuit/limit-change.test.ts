import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { endpointGate } from '../../../../functions/core/ordering/gate.ts';
import { withEndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../support/builders.ts';
import { at, closed, draining, halted, open } from './given/circuits.ts';

const limited = (health: EndpointHealth, rate_limit: number | undefined, seconds = 0) =>
  nextEndpointHealth(health, { kind: 'limited', rate_limit }, at(seconds), DELIVERY_POLICY);
const active = (circuit: Circuit, rate_limit?: number): EndpointHealth => ({
  state: 'active',
  ...(rate_limit === undefined ? {} : { rate_limit }),
  circuit,
});
const NOW = '2026-11-14T10:00:00.000Z';
const wayIn = (health: EndpointHealth) =>
  endpointGate(health, { key: 'a', signalKind: 'first', nowMs: at(0), timeoutMs: 10_000 });

test('a circuit that gets a limit stays closed and starts its timer', () => {
  const next = limited(active(CLOSED), 5);

  expect(next).toMatchObject({
    rate_limit: 5,
    circuit: { state: 'closed', revision: 1, generation: 1, timer_at: NOW },
  });
  expect(wayIn(next)).toEqual({ kind: 'wait', reason: 'rate_limited' });
});

test('a pending timer does not know the new limit and may be the last, so it is replaced', () => {
  const timed = closed({ generation: 4, timer_at: NOW, revision: 9 });

  expect(limited(active(timed), 5).circuit).toMatchObject({ generation: 5, timer_at: NOW, revision: 10 });
});

test('a circuit that loses its limit drains, and keeps its timer while others may act on the old limit', () => {
  const next = limited(active(closed({ generation: 4, timer_at: NOW, revision: 9 }), 5), undefined);

  expect(next).not.toHaveProperty('rate_limit');
  expect(next.circuit).toMatchObject({
    state: 'draining',
    window: 5,
    generation: 5,
    timer_at: NOW,
    revision: 10,
  });
});

test('a changed limit takes effect at the next timer', () => {
  const known = active(closed({ generation: 4, timer_at: NOW }), 5);

  expect(limited(known, 50)).toEqual({ ...known, rate_limit: 50 });
});

test.each([
  ['that is open', active(open())],
  ['that is draining', active(draining())],
  ['that is paused', { state: 'paused', circuit: halted() } as EndpointHealth],
  ['that is disabled', { state: 'disabled', disabled_reason: 'gone', circuit: halted() } as EndpointHealth],
])('a circuit %s has a timer already', (_, health) => {
  const next = limited(health, 5);

  expect(next).toEqual({ ...health, rate_limit: 5 });
  expect(next.circuit).toBe(health.circuit);
  expect(limited(next, undefined)).toEqual(health);
});

test.each([
  ['the current limit', active(closed(), 5), 5],
  ['no limit where there is none', active(closed()), undefined],
  ['a limit of a deleted subscription', { state: 'deleted', circuit: draining() } as EndpointHealth, 5],
])('%s changes nothing', (_, health, rate_limit) => {
  expect(limited(health, rate_limit)).toBe(health);
});

test('fields that the endpoint health lacks are removed; a circuit that was never written is not added', () => {
  const known = subscription({ rate_limit: 5, disabled_reason: 'gone', disabled_at: NOW, state: 'disabled' });

  expect(withEndpointHealth(known, active(CLOSED))).toEqual(subscription());
  expect(withEndpointHealth(known, endpointHealthOf(known))).toEqual(known);
});
