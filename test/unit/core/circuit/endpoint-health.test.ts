import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import {
  type EndpointHealthInput,
  endpointHealthOf,
  nextEndpointHealth,
} from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { withEndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../support/builders.ts';
import { answers, failed, succeeded, timerFired } from './given/circuit-inputs.ts';
import { at, circuits, closed, draining, halted, open, probing } from './given/circuits.ts';

const DAY = 86_400;

function step(health: EndpointHealth, input: EndpointHealthInput, seconds = 30): EndpointHealth {
  return nextEndpointHealth(health, input, at(seconds), DELIVERY_POLICY);
}

const healths = {
  active: { state: 'active', circuit: closed() },
  unproven: { state: 'unproven', challenge_id: 'msg_1', circuit: halted() },
  paused: { state: 'paused', circuit: halted() },
  disabled: {
    state: 'disabled',
    disabled_reason: 'gone',
    disabled_at: '2026-11-14T09:00:00.000Z',
    circuit: halted(),
  },
  deleted: { state: 'deleted', circuit: draining() },
} satisfies Record<string, EndpointHealth>;

describe('each state with each request', () => {
  const wanted = {
    paused: { kind: 'paused' },
    enabled: { kind: 'enabled' },
    disabled: { kind: 'disabled', reason: 'asked_by_receiver' },
    deleted: { kind: 'deleted' },
    challenged: { kind: 'challenged', challenge_id: 'msg_2' },
    proven: { kind: 'proven', challenge_id: 'msg_1' },
  } satisfies Record<string, EndpointHealthInput>;
  // The states of the subscription and its circuit; a dash where nothing changes.
  const becomes: Record<keyof typeof healths, Record<keyof typeof wanted, string>> = {
    active: {
      paused: 'paused, open',
      enabled: '-',
      disabled: 'disabled, open',
      deleted: 'deleted, draining',
      challenged: 'unproven, open',
      proven: '-',
    },
    unproven: {
      paused: 'paused, open',
      enabled: '-',
      disabled: '-',
      deleted: 'deleted, draining',
      challenged: 'unproven, open',
      proven: 'active, draining',
    },
    paused: {
      paused: '-',
      enabled: 'active, draining',
      disabled: 'disabled, open',
      deleted: 'deleted, draining',
      challenged: 'paused, open',
      proven: '-',
    },
    disabled: {
      paused: '-',
      enabled: 'active, draining',
      disabled: '-',
      deleted: 'deleted, draining',
      challenged: 'disabled, open',
      proven: '-',
    },
    deleted: { paused: '-', enabled: '-', disabled: '-', deleted: '-', challenged: '-', proven: '-' },
  };

  test.each(Object.keys(healths) as (keyof typeof healths)[])('%s', (from) => {
    const found = Object.entries(wanted).map(([name, input]) => {
      const next = step(healths[from], input);
      return [name, next === healths[from] ? '-' : `${next.state}, ${next.circuit.state}`];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  });
});

test('endpoint health is read from the item; a circuit that was never written is closed', () => {
  expect(endpointHealthOf(subscription())).toEqual({ state: 'active', circuit: CLOSED });
  expect(endpointHealthOf(subscription(healths.disabled))).toEqual(healths.disabled);
});

test.each(Object.entries(healths))('%s: what is written to the item is read from it', (_, health) => {
  expect(endpointHealthOf(withEndpointHealth(subscription(), health))).toEqual(health);
});

test('the timer of a closed circuit ends an hour after it closed, unless there is a rate limit', () => {
  const circuit = closed({ since: '2026-11-14T10:00:00.000Z', timer_at: '2026-11-14T11:00:00.000Z' });
  const tickAt = (over: Partial<EndpointHealth>) =>
    step({ state: 'active', circuit, ...over }, timerFired(), 3_600).circuit.timer_at;
  expect(tickAt({})).toBeUndefined();
  expect(tickAt({ rate_limit: 5 })).toBe('2026-11-14T11:00:30.000Z');
});

test('disabled: with reason and time, and without a probe', () => {
  const next = step(healths.active, { kind: 'disabled', reason: 'gone' });
  expect(next).toMatchObject({
    state: 'disabled',
    disabled_reason: 'gone',
    disabled_at: '2026-11-14T10:00:30.000Z',
  });
  expect(next.circuit).not.toHaveProperty('probe_at');
});

describe('a partner says that the endpoint is back', () => {
  const ask = (circuit: Circuit) => step({ state: 'active', circuit }, { kind: 'asked' });

  test('open: probes are due at once', () => {
    const { state, circuit } = ask(circuits.open);
    expect(state).toBe('active');
    expect(circuit).toEqual({
      ...circuits.open,
      ...{ revision: 8, generation: 4, cool_down_ms: 8_000 },
      ...{ asked_at: '2026-11-14T10:00:30.000Z', probe_at: '2026-11-14T10:00:30.000Z' },
      timer_at: '2026-11-14T10:00:30.000Z',
    });
  });

  test.each(['closed', 'draining', 'halted', 'probing', 'inviting'] as const)(
    '%s: nothing changes',
    (name) => {
      const circuit = circuits[name];
      expect(ask(circuit).circuit).toBe(circuit);
    },
  );
});

test('enabled again: the reason is removed and the backlog drains', () => {
  expect(step(healths.disabled, { kind: 'enabled' })).toEqual({
    state: 'active',
    circuit: {
      state: 'draining',
      revision: 8,
      in_trouble_since: '2026-11-14T09:59:00.000Z',
      generation: 4,
      timer_at: '2026-11-14T10:00:30.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_ordering_keys: [],
      window: 5,
      spreads: true,
    },
  });
});

test('a deleted subscription drains with the widest window: there is no endpoint to protect', () => {
  expect(step(healths.active, { kind: 'deleted' }).circuit).toMatchObject({
    state: 'draining',
    window: 100,
  });
});

test('attempts still under way do not stop the drain of a deleted subscription', () => {
  const circuit = draining({ window: 100, failed_in_a_row: 4 });
  const deleted: EndpointHealth = { state: 'deleted', circuit };
  expect(step(deleted, failed('e'))).toBe(deleted);
  expect(step(deleted, succeeded('e'))).toBe(deleted);
  expect(step(deleted, { kind: 'crowded' })).toBe(deleted);
  const drained: EndpointHealth = { state: 'deleted', circuit: closed() };
  expect(step(drained, failed('e'))).toBe(drained);
  expect(step(drained, { kind: 'crowded' })).toBe(drained);
  expect(step(deleted, timerFired(['a'], { answers: answers({ unwell: 500 }) }))).toMatchObject({
    state: 'deleted',
    circuit: { state: 'draining', window: 100 },
  });
});

test('a deleted subscription closes as soon as its backlog is empty, without the quiet minute', () => {
  const deleted: EndpointHealth = { state: 'deleted', circuit: draining({ window: 100 }) };
  expect(step(deleted, timerFired())).toMatchObject({ state: 'deleted', circuit: { state: 'closed' } });
});

test('a crowded subscription drains', () => {
  expect(step(healths.active, { kind: 'crowded' })).toMatchObject({
    state: 'active',
    circuit: { state: 'draining', cause: 'crowded' },
  });
  expect(step(healths.paused, { kind: 'crowded' })).toBe(healths.paused);
});

test('an attempt changes only the circuit', () => {
  expect(step(healths.disabled, succeeded())).toMatchObject({
    state: 'disabled',
    disabled_reason: 'gone',
    disabled_at: '2026-11-14T09:00:00.000Z',
    circuit: { state: 'open', revision: 8 },
  });
});

test('a success changes nothing while all is well', () => {
  expect(step(healths.active, succeeded())).toBe(healths.active);
});

describe('five days of nothing but failures', () => {
  const since = '2026-11-14T10:00:00.000Z';
  const MANY = { failing_since: since, has_opened: true } as const;

  test.each(['unwell', 'refused'] as const)('disable a subscription when a probe fails (%s)', (answer) => {
    const failing: EndpointHealth = { state: 'active', circuit: probing({ ...MANY }) };
    const probe = failed('a', { isProbe: true, answer });
    expect(step(failing, probe, 5 * DAY - 1)).toMatchObject({ state: 'active' });
    expect(step(failing, probe, 5 * DAY)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'failing',
      disabled_at: '2026-11-19T10:00:00.000Z',
      circuit: { state: 'open', failing_since: since },
    });
  });

  test.each([
    ['closed', closed({ failed_ordering_keys: ['b'], ...MANY })],
    ['open', open(MANY)],
    ['draining', draining(MANY)],
  ])(
    'disable it at any failure, new or repeated, once its circuit has opened: now it is %s',
    (_, circuit) => {
      for (const isNews of [true, false]) {
        expect(step({ state: 'active', circuit }, failed('b', { isNews }), 5 * DAY)).toMatchObject({
          state: 'disabled',
          disabled_reason: 'failing',
        });
      }
    },
  );

  test.each([
    ['closed', closed({ failed_ordering_keys: ['b'], failing_since: since })],
    ['draining', draining({ failing_since: since })],
  ])(
    'do not disable it while too few have failed, as with two failures in a week: its circuit is %s',
    (_, circuit) => {
      for (const isNews of [true, false]) {
        expect(step({ state: 'active', circuit }, failed('c', { isNews }), 7 * DAY)).toMatchObject({
          state: 'active',
        });
      }
    },
  );

  test('disable it when so many have failed at last that its circuit opens', () => {
    const failed_ordering_keys = Array.from({ length: 19 }, (_, index) => `key-${index}`);
    const circuit = closed({ failed_ordering_keys, failing_since: since });
    const failing: EndpointHealth = { state: 'active', circuit };
    expect(step(failing, failed('key-19'), 7 * DAY)).toMatchObject({
      state: 'disabled',
      circuit: { state: 'open' },
    });
  });

  test('do not count past a success', () => {
    const failing: EndpointHealth = { state: 'active', circuit: closed({ failing_since: since }) };
    const next = step(failing, succeeded(), 4 * DAY);
    expect(step(next, failed(), 5 * DAY)).toMatchObject({ state: 'active' });
  });

  test('do nothing by themselves: it takes a failure', () => {
    const failing: EndpointHealth = { state: 'active', circuit: open({ failing_since: since }) };
    expect(step(failing, timerFired(), 6 * DAY)).toMatchObject({ state: 'active' });
  });

  test('count from zero when the partner enables it', () => {
    const failing: EndpointHealth = { ...healths.disabled, circuit: { ...halted(), failing_since: since } };
    const enabled = step(failing, { kind: 'enabled' }, 9 * DAY);
    expect(step(enabled, failed(), 9 * DAY)).toMatchObject({ state: 'active' });
  });
});

describe('proof', () => {
  const { unproven, active } = healths;
  const proven = (challenge_id: string) => ({ kind: 'proven', challenge_id }) as const;
  const challenged = { kind: 'challenged', challenge_id: 'msg_2' } as const;

  test('an answer to an earlier challenge proves nothing', () => {
    const again = step(unproven, challenged);
    expect(again).toMatchObject({ state: 'unproven', challenge_id: 'msg_2' });
    expect(step(again, proven('msg_1'))).toBe(again);
    expect(step(again, proven('msg_2'))).not.toHaveProperty('challenge_id');
  });

  test('what was paused before its endpoint answered is unproven once enabled', () => {
    const paused = step(unproven, { kind: 'paused' });
    expect(paused).toMatchObject({ state: 'paused', challenge_id: 'msg_1' });
    expect(step(paused, { kind: 'enabled' })).toMatchObject({ state: 'unproven', challenge_id: 'msg_1' });
  });

  test('an answer that was under way when it was paused counts', () => {
    const paused = step(step(unproven, { kind: 'paused' }), proven('msg_1'));
    expect(paused).toMatchObject({ state: 'paused' });
    expect(step(paused, { kind: 'enabled' })).toMatchObject({ state: 'active' });
  });

  test('every change has a circuit of a new revision, by which writers lock', () => {
    const healthsAfter = [
      step(active, challenged),
      step(step(active, challenged), challenged),
      step(healths.paused, challenged),
      step({ ...healths.paused, challenge_id: 'msg_2' }, proven('msg_2')),
    ];
    const befores = [active, step(active, challenged), healths.paused, healths.paused];
    for (const [index, { circuit }] of healthsAfter.entries()) {
      expect(circuit.revision).toBe(befores[index]!.circuit.revision + 1);
    }
  });
});
