import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { nextEndpointHealth } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import {
  isOpenByHand,
  OPERATOR_SIGNALS,
  type OperatorSignal,
} from '../../../../functions/core/circuit/operator-signals.ts';
import { at, circuits, halted, open } from './given/circuits.ts';

function afterRequest(
  health: EndpointHealth,
  wanted: OperatorSignal,
  isBacklogEmpty = false,
): EndpointHealth {
  return nextEndpointHealth(
    health,
    { kind: 'operated', signalKind: wanted, isBacklogEmpty },
    at(30),
    DELIVERY_POLICY,
  );
}

// The next state of the circuit; a dash where nothing changes.
const becomes: Record<keyof typeof circuits, Record<string, string>> = {
  closed: { open: 'open', drain: 'draining', close: '-', 'close, backlog empty': '-' },
  open: { open: 'open', drain: 'draining', close: 'draining', 'close, backlog empty': 'closed' },
  halted: { open: '-', drain: 'draining', close: 'draining', 'close, backlog empty': 'closed' },
  probing: { open: 'open', drain: 'draining', close: 'draining', 'close, backlog empty': 'closed' },
  inviting: { open: 'open', drain: 'draining', close: 'draining', 'close, backlog empty': 'closed' },
  draining: { open: 'open', drain: '-', close: '-', 'close, backlog empty': '-' },
};

test('an operator who drains an empty backlog gets a drain: what comes meanwhile is paced', () => {
  const health: EndpointHealth = { state: 'active', circuit: open() };
  expect(afterRequest(health, 'drain', true).circuit.state).toBe('draining');
});

test.each(Object.keys(circuits) as (keyof typeof circuits)[])(
  'each operator request to a circuit: %s',
  (from) => {
    const health: EndpointHealth = { state: 'active', circuit: circuits[from] };
    const found = [...OPERATOR_SIGNALS, 'close, backlog empty'].map((name) => {
      const next = afterRequest(health, name.split(',')[0] as OperatorSignal, name.includes('empty'));
      return [name, next === health ? '-' : next.circuit.state];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  },
);

test.each(['paused', 'disabled', 'deleted'] as const)(
  'operators cannot change the circuit of a subscription that is %s: it follows from the state',
  (state) => {
    const health: EndpointHealth = { state, circuit: halted() };
    for (const wanted of OPERATOR_SIGNALS) {
      expect(afterRequest(health, wanted, true)).toBe(health);
    }
  },
);

test('a circuit that an operator opened gets no probe, however often its timer fires', () => {
  const opened = afterRequest({ state: 'active', circuit: open() }, 'open');
  expect(isOpenByHand(opened)).toBe(true);
  const backlog = { keys: [{ key: 'a', backloggedAtMs: at(0), isInHand: false }] };
  const timerFired = nextEndpointHealth(
    opened,
    { kind: 'timer_fired', backlog, timeoutMs: 10_000 },
    at(400),
    DELIVERY_POLICY,
  );
  expect(isOpenByHand(timerFired)).toBe(true);
  expect(timerFired.circuit.generation).toBe(opened.circuit.generation + 1);
});

test('rate limit and state stay as they are', () => {
  const limited: EndpointHealth = { state: 'active', rate_limit: 3, circuit: open() };
  expect(afterRequest(limited, 'drain')).toMatchObject({ state: 'active', rate_limit: 3 });
});
