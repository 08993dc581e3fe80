import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { lookAhead, signalsOfTimer } from '../../../../functions/core/ordering/circuit-timer.ts';
import { endpointGate } from '../../../../functions/core/ordering/gate.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { subscription } from '../../../support/builders.ts';
import { at, closed, draining, inBacklog } from './given/circuits.ts';

const limited = (circuit: Circuit = closed()): EndpointHealth => ({
  state: 'active',
  rate_limit: 5,
  circuit,
});
const join = (health: EndpointHealth, seconds = 0) =>
  nextEndpointHealth(health, { kind: 'joined' }, at(seconds), DELIVERY_POLICY);
const generation = (health: EndpointHealth, waiting: number, seconds = 0) =>
  nextEndpointHealth(
    health,
    {
      kind: 'timer_fired',
      backlog: {
        keys: Array.from({ length: waiting }, () => ({ key: 'a', backloggedAtMs: at(0), isInHand: false })),
      },
      timeoutMs: 10_000,
    },
    at(seconds),
    DELIVERY_POLICY,
  );

test('a new message joins the backlog, and is sent when its turn comes', () => {
  const gateDecision = (signalKind: 'first' | 'resume' | 'drain') =>
    endpointGate(limited(), { key: 'a', signalKind, nowMs: at(0), timeoutMs: 10_000 });
  expect(gateDecision('first')).toEqual({ kind: 'wait', reason: 'rate_limited' });
  expect(gateDecision('resume')).toEqual({ kind: 'wait', reason: 'rate_limited' });
  expect(gateDecision('drain')).toEqual({ kind: 'attempt', isProbe: false });
});

test('the first ordering key to join starts the timer', () => {
  expect(join(limited()).circuit).toMatchObject({
    generation: 1,
    timer_at: '2026-11-14T10:00:00.000Z',
    revision: 1,
  });
});

test('joining starts no timer while one is due soon; a later one is brought forward', () => {
  const near = limited(closed({ generation: 4, timer_at: '2026-11-14T10:00:01.000Z' }));
  expect(join(near).circuit).toMatchObject({ generation: 4, timer_at: '2026-11-14T10:00:01.000Z' });
  const far = limited(closed({ generation: 4, timer_at: '2026-11-14T10:00:30.000Z' }));
  expect(join(far).circuit).toMatchObject({ generation: 5, timer_at: '2026-11-14T10:00:00.000Z' });
});

test('a worker whose clock is behind does not bring a timer forward for each message', () => {
  const first = join(limited(), 4);
  expect(join(first)).toBe(first);
  const sending = generation(first, 3, 4);
  expect(join(sending)).toBe(sending);
  const empty = generation(sending, 0, 6);
  expect(join(empty).circuit).toMatchObject({ generation: 4, timer_at: '2026-11-14T10:00:00.000Z' });
});

test('without a limit, or in a state that has a timer anyway, joining changes nothing', () => {
  const free: EndpointHealth = { state: 'active', circuit: closed() };
  expect(join(free)).toBe(free);
  const drained = limited(draining());
  expect(join(drained)).toBe(drained);
});

test('the timer never ends: each second while something waits, each half minute otherwise', () => {
  expect(generation(limited(), 3).circuit.timer_at).toBe('2026-11-14T10:00:01.000Z');
  expect(generation(limited(), 0).circuit.timer_at).toBe('2026-11-14T10:00:30.000Z');
});

test('what has just joined is looked for a few times: the index may lag', () => {
  let health = join(limited(), 0);
  for (const seconds of [0, 1, 5, 21, 51, 81]) {
    expect(health.circuit.timer_at).toBe(instant(at(seconds)));
    health = generation(health, 0, seconds);
  }
});

test('a timer reads as many ordering keys as may be under way, and one more, also in a drain', () => {
  expect(lookAhead(limited(), DELIVERY_POLICY.circuit)).toBe(21);
  expect(lookAhead({ ...limited(), rate_limit: 100 }, DELIVERY_POLICY.circuit)).toBe(101);
  expect(lookAhead(limited(draining({ window: 64 })), DELIVERY_POLICY.circuit)).toBe(21);
  expect(lookAhead(limited(draining({ window: 2 })), DELIVERY_POLICY.circuit)).toBe(3);
});

test('each timer signals as many as the limit allows, however many are under way', () => {
  const health = limited();
  const slow = Array.from({ length: 7 }, (_, index) => inBacklog(`s${index}`, { check_at: instant(at(60)) }));
  const waiting = Array.from({ length: 9 }, (_, index) => inBacklog(`w${index}`));
  const seen = { head: [...slow, ...waiting], sample: [] };
  const signals = signalsOfTimer(health, health, seen, at(0), DELIVERY_POLICY.circuit);
  expect(signals.map(({ key }) => key)).toEqual(waiting.slice(0, 5));
});

describe('once the subscription is deleted, a limit has no effect', () => {
  const deleted = nextEndpointHealth(limited(), { kind: 'deleted' }, at(0), DELIVERY_POLICY);

  test('its backlog is cancelled as quickly as any other', () => {
    expect(deleted).toMatchObject({ state: 'deleted', rate_limit: 5 });
    expect(lookAhead(deleted, DELIVERY_POLICY.circuit)).toBe(101);
  });

  test('its timer ends', () => {
    const closes = generation(deleted, 0);
    expect(closes.circuit).toMatchObject({ state: 'closed', timer_at: '2026-11-14T10:00:01.000Z' });
    expect(generation(closes, 0, 3_600).circuit.timer_at).toBeUndefined();
  });

  test('no ordering key joins its backlog', () => {
    expect(join(deleted)).toBe(deleted);
  });
});

test('the limit stays when the partner pauses and enables the subscription', () => {
  const known = endpointHealthOf(subscription({ rate_limit: 5 }));
  const paused = nextEndpointHealth(known, { kind: 'paused' }, at(0), DELIVERY_POLICY);
  expect(paused).toMatchObject({ state: 'paused', rate_limit: 5 });
  const enabled = nextEndpointHealth(paused, { kind: 'enabled' }, at(1), DELIVERY_POLICY);
  expect(enabled).toMatchObject({ state: 'active', rate_limit: 5 });
});
