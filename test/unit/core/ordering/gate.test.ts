import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { gate } from '../../../../functions/core/ordering/gate.ts';
import { SIGNAL_KINDS } from '../../../../functions/core/ordering/signal.ts';
import type { EndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits, halted, probing } from '../circuit/circuits.ts';

type Asked = Parameters<typeof gate>[1]['signalKind'];
const ASKED: readonly Asked[] = ['first', ...SIGNAL_KINDS];

function ways(health: EndpointHealth | undefined, key = 'a', seconds = 0): Record<string, string> {
  const answers = ASKED.map((signalKind) => {
    const gateDecision = gate(health, { key, signalKind, nowMs: at(seconds), timeoutMs: 10_000 });
    return [signalKind, gateDecision.kind === 'line' ? gateDecision.reason : gateDecision.kind];
  });
  return Object.fromEntries(answers);
}
const active = (circuit: Circuit): EndpointHealth => ({ state: 'active', circuit });
const all = (gateDecision: string) => ({
  first: gateDecision,
  due: gateDecision,
  drain: gateDecision,
  probe: gateDecision,
  release: gateDecision,
  skip: gateDecision,
  resend: gateDecision,
});

test('closed: whatever comes goes', () => {
  expect(ways(active(circuits.closed))).toEqual(all('go'));
});

test('open: whatever comes waits in line, whether somebody is to probe or not', () => {
  expect(ways(active(circuits.open))).toEqual(all('circuit_open'));
  expect(ways(active(halted()))).toEqual(all('circuit_open'));
});

test('draining: what the drain has chosen goes, and the probe that began it; all else joins the line', () => {
  expect(ways(active(circuits.draining))).toEqual({ ...all('catching_up'), drain: 'go', probe: 'go' });
});

test('half-open: the probe goes, all else waits in line', () => {
  expect(ways(active(circuits.probing))).toEqual({ ...all('circuit_open'), probe: 'probe' });
  expect(ways(active(circuits.probing), 'b')).toEqual(all('circuit_open'));
});

test('half-open and nobody to probe: the first message to come claims it', () => {
  expect(ways(active(circuits.inviting), 'b')).toEqual({ ...all('circuit_open'), first: 'claim' });
});

test('a probe that could end after its lease is none any more', () => {
  expect(ways(active(probing()), 'a', 15)).toMatchObject({ probe: 'probe' });
  expect(ways(active(probing()), 'a', 15.001)).toMatchObject({ probe: 'circuit_open' });
});

test.each(['paused', 'disabled'] as const)(
  '%s: whatever comes waits in line, whatever the circuit',
  (state) => {
    for (const circuit of Object.values(circuits)) {
      expect(ways({ state, circuit })).toEqual(all(state));
    }
  },
);

test('deleted, or not there at all: whatever comes ends', () => {
  for (const circuit of Object.values(circuits)) {
    expect(ways({ state: 'deleted', circuit })).toEqual(all('end'));
  }
  expect(ways(undefined)).toEqual(all('end'));
});
