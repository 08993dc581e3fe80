import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { nextStanding } from '../../../../functions/core/circuit/endpoint-health.ts';
import {
  isOpenByHand,
  OPERATORS_WISHES,
  type OperatorsWish,
} from '../../../../functions/core/circuit/operator-signals.ts';
import type { Standing } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits, halted, open } from './circuits.ts';

function wish(standing: Standing, wanted: OperatorsWish, isLineEmpty = false): Standing {
  return nextStanding(standing, { kind: 'operated', wish: wanted, isLineEmpty }, at(30), DELIVERY_POLICY);
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
    const standing: Standing = { state: 'active', circuit: circuits[from] };
    const found = [...OPERATORS_WISHES, 'close, nobody in line'].map((name) => {
      const next = wish(standing, name.split(',')[0] as OperatorsWish, name.includes('nobody'));
      return [name, next === standing ? '-' : next.circuit.state];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  },
);

test.each(['paused', 'disabled', 'deleted'] as const)(
  'the circuit of a subscription that is %s is its own matter: it follows from that',
  (state) => {
    const standing: Standing = { state, circuit: halted() };
    for (const wanted of OPERATORS_WISHES) {
      expect(wish(standing, wanted, true)).toBe(standing);
    }
  },
);

test('what an operator has opened is probed by nobody, however often it is looked at', () => {
  const opened = wish({ state: 'active', circuit: open() }, 'open');
  expect(isOpenByHand(opened)).toBe(true);
  const line = { keys: [{ key: 'a', parkedAtMs: at(0), isInHand: false }] };
  const ticked = nextStanding(opened, { kind: 'ticked', line, timeoutMs: 10_000 }, at(400), DELIVERY_POLICY);
  expect(isOpenByHand(ticked)).toBe(true);
  expect(ticked.circuit.tick).toBe(opened.circuit.tick + 1);
});

test('a rate limit and a state stay as they are', () => {
  const limited: Standing = { state: 'active', rate_limit: 3, circuit: open() };
  expect(wish(limited, 'drain')).toMatchObject({ state: 'active', rate_limit: 3 });
});
