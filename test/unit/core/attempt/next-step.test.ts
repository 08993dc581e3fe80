import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { isLongDisabled, nextStep } from '../../../../functions/core/attempt/next-step.ts';
import type { EndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits } from '../circuit/circuits.ts';

type Question = Parameters<typeof nextStep>[0];

const disabled: EndpointHealth = {
  state: 'disabled',
  disabled_reason: 'gone',
  disabled_at: '2026-11-11T06:00:00.000Z',
  circuit: circuits.halted,
};
const active = (circuit: EndpointHealth['circuit']): EndpointHealth => ({ state: 'active', circuit });

/** Asked at ten o'clock, with 50 s left, of a message that has just been admitted. */
function step(over: Partial<Question> = {}) {
  const question: Question = {
    record: {},
    since: '2026-11-14T10:00:00.000Z',
    key: 'a',
    signalKind: 'first',
    health: active(circuits.closed),
    timeoutMs: 10_000,
    nowMs: at(0),
    attemptsUntilMs: at(50),
    ...over,
  };
  return nextStep(question, DELIVERY_POLICY);
}
/** Admitted 76 hours before ten o'clock. */
const old = { since: '2026-11-11T06:00:00.000Z' };
const expired = { record: { expires_at: '2026-11-14T10:00:00.000Z' } };

const attempt = { kind: 'attempt', isProbe: false };
const ends = (state: string, reason: string) => ({ kind: 'end', conclusion: { state, reason } });

test('a message of a subscription that is well is attempted, however old', () => {
  expect(step()).toEqual(attempt);
  expect(step({ ...old })).toEqual(attempt);
});

test('no attempt is started that could end too late', () => {
  expect(step({ attemptsUntilMs: at(10) })).toEqual(attempt);
  expect(step({ attemptsUntilMs: at(9.999) })).toEqual({ kind: 'hand_over' });
});

test('the probe is attempted as one, and the first to come claims to be it', () => {
  expect(step({ signalKind: 'probe', health: active(circuits.probing) })).toEqual({
    kind: 'attempt',
    isProbe: true,
  });
  expect(step({ health: active(circuits.inviting) })).toEqual({ kind: 'claim' });
});

test('no probe is claimed that there is no time for', () => {
  expect(step({ health: active(circuits.inviting), attemptsUntilMs: at(9) })).toEqual({
    kind: 'hand_over',
  });
});

test.each([
  ['open', active(circuits.open), 'circuit_open'],
  ['draining', active(circuits.draining), 'catching_up'],
  ['halted, as it is paused', { state: 'paused', circuit: circuits.halted } as const, 'paused'],
])('behind a circuit that is %s a message waits', (_, health, reason) => {
  expect(step({ health })).toEqual({ kind: 'bar', reason });
});

test('behind an open circuit a message over age ends without an attempt; behind a drain it has its attempt to come', () => {
  expect(step({ ...old, health: active(circuits.open) })).toEqual(ends('exhausted', 'age'));
  expect(step({ ...old, health: active(circuits.draining) })).toEqual({
    kind: 'bar',
    reason: 'catching_up',
  });
});

test('the probe has its attempt, though it is over age', () => {
  expect(step({ ...old, signalKind: 'probe', health: active(circuits.probing) })).toMatchObject({
    kind: 'attempt',
  });
});

test('a disabled subscription keeps what comes within 76 hours', () => {
  expect(step({ health: disabled })).toEqual({ kind: 'bar', reason: 'disabled' });
  expect(isLongDisabled(disabled, at(-0.001), DELIVERY_POLICY)).toBe(false);
  expect(isLongDisabled(disabled, at(0), DELIVERY_POLICY)).toBe(true);
});

test('what is not worth delivering any more ends, whatever the circuit', () => {
  for (const circuit of Object.values(circuits)) {
    expect(step({ ...expired, health: active(circuit) })).toEqual(ends('cancelled', 'expired'));
  }
});

test('what an operator gives up is skipped, whatever the circuit and the time left', () => {
  for (const circuit of Object.values(circuits)) {
    expect(step({ signalKind: 'skip', health: active(circuit), attemptsUntilMs: 0 })).toEqual(
      ends('cancelled', 'skipped'),
    );
  }
});

test.each([
  ['deleted', { state: 'deleted', circuit: circuits.draining } as const],
  ['not there', undefined],
])('whatever waits for a subscription that is %s is cancelled', (_, health) => {
  expect(step({ health })).toEqual(ends('cancelled', 'deleted'));
  expect(step({ health, ...expired, signalKind: 'skip' })).toEqual(ends('cancelled', 'deleted'));
});
