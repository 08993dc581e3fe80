import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { nextEndpointHealth } from '../../../../functions/core/circuit/endpoint-health.ts';
import {
  isOpenByHand,
  OPERATOR_SIGNALS,
  type OperatorSignal,
} from '../../../../functions/core/circuit/operator-signals.ts';
import type { EndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits, halted, open } from './circuits.ts';

function signalKind(health: EndpointHealth, wanted: OperatorSignal, isBacklogEmpty = false): EndpointHealth {
  return nextEndpointHealth(
    health,
    { kind: 'operated', signalKind: wanted, isBacklogEmpty },
    at(30),
    DELIVERY_POLICY,
  );
}

// What the circuit becomes; unchanged is written as a dash.
const becomes: Record<keyof typeof circuits, Record<string, string>> = {
  closed: { open: 'open', drain: 'draining', close: '-', 'close, nobody in line': '-' },
  open: { open: 'open', drain: 'draining', close: 'draining', 'close, nobody in line': 'closed' },
  halted: { open: '-', drain: 'draining', close: 'draining', 'close, nobody in line': 'closed' },
  probing: { open: 'open', drain: 'draining', close: 'draining', 'close, nobody in line': 'closed' },
  inviting: { open: 'open', drain: 'draining', close: 'draining', 'close, nobody in line': 'closed' },
  draining: { open: 'open', drain: '-', close: '-', 'close, nobody in line': '-' },
};

test.each(Object.keys(circuits) as (keyof typeof circuits)[])(
  'what an operator makes of a circuit: %s',
  (from) => {
    const health: EndpointHealth = { state: 'active', circuit: circuits[from] };
    const found = [...OPERATOR_SIGNALS, 'close, nobody in line'].map((name) => {
      const next = signalKind(health, name.split(',')[0] as OperatorSignal, name.includes('nobody'));
      return [name, next === health ? '-' : next.circuit.state];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  },
);

test.each(['paused', 'disabled', 'deleted'] as const)(
  'the circuit of a subscription that is %s is its own matter: it follows from that',
  (state) => {
    const health: EndpointHealth = { state, circuit: halted() };
    for (const wanted of OPERATOR_SIGNALS) {
      expect(signalKind(health, wanted, true)).toBe(health);
    }
  },
);

test('what an operator has opened is probed by nobody, however often it is looked at', () => {
  const opened = signalKind({ state: 'active', circuit: open() }, 'open');
  expect(isOpenByHand(opened)).toBe(true);
  const backlog = { keys: [{ key: 'a', parkedAtMs: at(0), isInHand: false }] };
  const timerFired = nextEndpointHealth(
    opened,
    { kind: 'ticked', backlog, timeoutMs: 10_000 },
    at(400),
    DELIVERY_POLICY,
  );
  expect(isOpenByHand(timerFired)).toBe(true);
  expect(timerFired.circuit.tick).toBe(opened.circuit.tick + 1);
});

test('a rate limit and a state stay as they are', () => {
  const limited: EndpointHealth = { state: 'active', rate_limit: 3, circuit: open() };
  expect(signalKind(limited, 'drain')).toMatchObject({ state: 'active', rate_limit: 3 });
});
