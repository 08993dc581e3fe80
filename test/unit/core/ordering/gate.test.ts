import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { endpointGate, gate, isLongDisabled } from '../../../../functions/core/ordering/gate.ts';
import { SIGNAL_KINDS } from '../../../../functions/core/signal/signal.ts';
import { at, circuits, halted, probing } from '../circuit/given/circuits.ts';

type Asked = Parameters<typeof endpointGate>[1]['signalKind'];
const ASKED: readonly Asked[] = ['first', ...SIGNAL_KINDS];

/** What the endpoint's health allows, by what is asked for: why it waits, or what happens. */
function allowed(health: EndpointHealth | undefined, key = 'a', seconds = 0): Record<string, string> {
  const answers = ASKED.map((signalKind) => {
    const decision = endpointGate(health, { key, signalKind, nowMs: at(seconds), timeoutMs: 10_000 });
    switch (decision.kind) {
      case 'wait':
        return [signalKind, decision.reason];
      case 'attempt':
        return [signalKind, decision.isProbe ? 'probe' : 'attempt'];
      default:
        return [signalKind, decision.kind];
    }
  });
  return Object.fromEntries(answers);
}
const active = (circuit: Circuit): EndpointHealth => ({ state: 'active', circuit });
const all = (expected: string) => ({
  first: expected,
  resume: expected,
  drain: expected,
  probe: expected,
  release: expected,
  skip: expected,
  resend: expected,
  cancel: expected,
});

test('closed: everything is attempted', () => {
  expect(allowed(active(circuits.closed))).toEqual(all('attempt'));
});

test('open: everything waits in the backlog, whether a probe is due or not', () => {
  expect(allowed(active(circuits.open))).toEqual(all('circuit_open'));
  expect(allowed(active(halted()))).toEqual(all('circuit_open'));
});

test('draining: what the drain has signalled is attempted, and the probe that started it; the rest joins the backlog', () => {
  expect(allowed(active(circuits.draining))).toEqual({
    ...all('catching_up'),
    drain: 'attempt',
    probe: 'attempt',
  });
});

test('half-open: the probe is attempted, the rest waits in the backlog', () => {
  expect(allowed(active(circuits.probing))).toEqual({ ...all('circuit_open'), probe: 'probe' });
  expect(allowed(active(circuits.probing), 'b')).toEqual(all('circuit_open'));
});

test('half-open with nothing to probe: the first new message claims the probe', () => {
  expect(allowed(active(circuits.inviting), 'b')).toEqual({ ...all('circuit_open'), first: 'claim' });
});

test('a probe that could end after its lease waits', () => {
  expect(allowed(active(probing()), 'a', 15)).toMatchObject({ probe: 'probe' });
  expect(allowed(active(probing()), 'a', 15.001)).toMatchObject({ probe: 'circuit_open' });
});

test.each(['paused', 'disabled'] as const)(
  '%s: everything waits in the backlog, whatever the circuit',
  (state) => {
    for (const circuit of Object.values(circuits)) {
      expect(allowed({ state, circuit })).toEqual(all(state));
    }
  },
);

test('deleted or unknown: everything ends', () => {
  for (const circuit of Object.values(circuits)) {
    expect(allowed({ state: 'deleted', circuit })).toEqual(all('end'));
  }
  expect(allowed(undefined)).toEqual(all('end'));
});

type Question = Parameters<typeof gate>[0];

const disabled: EndpointHealth = {
  state: 'disabled',
  disabled_reason: 'gone',
  disabled_at: '2026-11-11T06:00:00.000Z',
  circuit: circuits.halted,
};

const of = (over: Partial<Question['record']>): Question['record'] => ({
  message_id: 'msg_1',
  event_type: 'card_payment_captured',
  ...over,
});

/** Asked at ten o'clock, with 50 s left, of a message that has just been admitted. */
function decided(over: Partial<Question> = {}) {
  const question: Question = {
    record: of({}),
    since: '2026-11-14T10:00:00.000Z',
    key: 'a',
    signalKind: 'first',
    health: active(circuits.closed),
    timeoutMs: 10_000,
    nowMs: at(0),
    attemptsUntilMs: at(50),
    ...over,
  };
  return gate(question, DELIVERY_POLICY);
}
/** Admitted 76 hours before ten o'clock. */
const old = { since: '2026-11-11T06:00:00.000Z' };
const expired = { record: of({ expires_at: '2026-11-14T10:00:00.000Z' }) };

const attempt = { kind: 'attempt', isProbe: false };
const ends = (state: string, reason: string) => ({ kind: 'end', decision: { state, reason } });

test('a message of a healthy endpoint is attempted, however old', () => {
  expect(decided()).toEqual(attempt);
  expect(decided({ ...old })).toEqual(attempt);
});

test('no attempt is started that could end too late', () => {
  expect(decided({ attemptsUntilMs: at(10) })).toEqual(attempt);
  expect(decided({ attemptsUntilMs: at(9.999) })).toEqual({ kind: 'hand_over' });
});

test('the probe is attempted as one, and the first new message claims to be it', () => {
  expect(decided({ signalKind: 'probe', health: active(circuits.probing) })).toEqual({
    kind: 'attempt',
    isProbe: true,
  });
  expect(decided({ health: active(circuits.inviting) })).toEqual({ kind: 'claim' });
});

test('no probe is claimed without time for its attempt', () => {
  expect(decided({ health: active(circuits.inviting), attemptsUntilMs: at(9) })).toEqual({
    kind: 'hand_over',
  });
});

test.each([
  ['open', active(circuits.open), 'circuit_open'],
  ['draining', active(circuits.draining), 'catching_up'],
  ['halted, as it is paused', { state: 'paused', circuit: circuits.halted } as const, 'paused'],
])('behind a circuit that is %s a message waits', (_, health, reason) => {
  expect(decided({ health })).toEqual({ kind: 'wait', reason });
});

test.each([
  ['behind an open circuit', active(circuits.open)],
  ['while its subscription is paused', { state: 'paused', circuit: circuits.halted } as const],
  ['while its subscription is disabled', disabled],
])('%s a message over age ends without an attempt', (_, health) => {
  expect(decided({ ...old, health })).toEqual(ends('exhausted', 'age'));
});

test('behind a drain a message over age waits for its attempt', () => {
  expect(decided({ ...old, health: active(circuits.draining) })).toEqual({
    kind: 'wait',
    reason: 'catching_up',
  });
});

test('the probe is attempted though it is over age', () => {
  expect(decided({ ...old, signalKind: 'probe', health: active(circuits.probing) })).toMatchObject({
    kind: 'attempt',
  });
});

test('a disabled subscription keeps what comes within 76 hours, and nothing after that', () => {
  expect(decided({ health: disabled })).toEqual({ kind: 'wait', reason: 'disabled' });
  expect(isLongDisabled(disabled, at(-0.001), DELIVERY_POLICY)).toBe(false);
  expect(isLongDisabled(disabled, at(0), DELIVERY_POLICY)).toBe(true);
  for (const health of [active(circuits.closed), undefined]) {
    expect(isLongDisabled(health, at(0), DELIVERY_POLICY)).toBe(false);
  }
});

test('an expired message ends, whatever the circuit', () => {
  for (const circuit of Object.values(circuits)) {
    expect(decided({ ...expired, health: active(circuit) })).toEqual(ends('cancelled', 'expired'));
  }
});

test('a message that an operator skips is cancelled, whatever the circuit and the time left', () => {
  for (const circuit of Object.values(circuits)) {
    expect(decided({ signalKind: 'skip', health: active(circuit), attemptsUntilMs: 0 })).toEqual(
      ends('cancelled', 'skipped'),
    );
  }
});

test.each([
  ['deleted', { state: 'deleted', circuit: circuits.draining } as const],
  ['not there', undefined],
])('a message for a subscription that is %s is cancelled', (_, health) => {
  expect(decided({ health })).toEqual(ends('cancelled', 'deleted'));
  expect(decided({ health, ...expired, signalKind: 'skip' })).toEqual(ends('cancelled', 'deleted'));
});

describe('an endpoint that has yet to answer a challenge', () => {
  const health = { state: 'unproven', challenge_id: 'msg_2', circuit: halted() } as const;
  const challenge = (message_id: string) => ({ record: of({ event_type: 'challenge', message_id }) });

  test('gets nothing but that challenge', () => {
    expect(decided({ health })).toEqual({ kind: 'wait', reason: 'unproven' });
    expect(decided({ health, ...challenge('msg_2') })).toEqual(attempt);
    expect(decided({ health, ...challenge('msg_2'), attemptsUntilMs: 0 })).toEqual({ kind: 'hand_over' });
  });

  test('gets no earlier challenge', () => {
    expect(decided({ health, ...challenge('msg_1') })).toEqual(ends('cancelled', 'superseded'));
  });

  test.each(['active', 'paused', 'disabled'] as const)('gets none while its subscription is %s', (state) => {
    const given = { health: { ...health, state }, ...challenge('msg_2') };
    expect(decided(given)).toEqual(ends('cancelled', 'superseded'));
  });

  test('gives events up that have waited for too long', () => {
    expect(decided({ health, ...old })).toEqual(ends('exhausted', 'age'));
  });

  test('gets no challenge once its subscription is deleted', () => {
    const deleted = { health: { state: 'deleted', circuit: circuits.draining } as const };
    expect(decided({ ...deleted, ...challenge('msg_2') })).toEqual(ends('cancelled', 'deleted'));
    expect(decided({ health: undefined, ...challenge('msg_2') })).toEqual(ends('cancelled', 'deleted'));
  });
});
