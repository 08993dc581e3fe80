import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { subscriptionView } from '../../../../functions/core/subscription/subscription-view.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const viewOf = (seen: Subscription) => subscriptionView(seen, TEN_O_CLOCK_MS);
const since = '2026-11-14T10:00:00.000Z';
const probe_at = '2026-11-14T10:00:10.000Z';
const key = 'sub_1.pay_1';
const lasting = {
  ...CLOSED,
  revision: 7,
  generation: 3,
  timer_at: probe_at,
  since,
  failed_ordering_keys: [key],
};

test('a subscription without a schedule has the standard one', () => {
  expect(viewOf(subscription()).schedule).toBe('standard');
});

test('for a disabled subscription a partner sees why and since when', () => {
  const disabled = { state: 'disabled', disabled_reason: 'gone', disabled_at: since } as const;
  expect(viewOf(subscription(disabled))).toMatchObject(disabled);
});

test.each<[string, Circuit, object]>([
  ['that has closed', lasting, { state: 'closed', since }],
  [
    'that is open',
    { ...lasting, state: 'open', cool_down_ms: 10_000, probe_at },
    { state: 'open', since, next_probe_at: probe_at },
  ],
  [
    'in trouble since before it opened again',
    { ...lasting, state: 'open', cool_down_ms: 10_000, in_trouble_since: '2026-11-14T09:00:00.000Z' },
    { state: 'open', since, in_trouble_since: '2026-11-14T09:00:00.000Z' },
  ],
  ['without a probe', { ...lasting, state: 'open', cool_down_ms: 300_000 }, { state: 'open', since }],
  [
    'that is being probed',
    { ...lasting, state: 'half_open', cool_down_ms: 10_000, probe_at, probes: [key] },
    { state: 'half_open', since },
  ],
  ['that is draining', { ...lasting, state: 'draining', window: 4 }, { state: 'draining', since }],
])('for a circuit %s a partner sees its state, but nothing internal', (_, circuit, seen) => {
  expect(viewOf(subscription({ circuit })).circuit).toEqual(seen);
});

test('a partner sees the active secrets, newest first', () => {
  const known = { public_key: 'whpk_', created_at: '2026-11-13T10:00:00.000Z' };
  const old = { ...known, secret_id: 'sec_old', expires_at: '2026-11-14T10:00:00.001Z' };
  const expired = { ...known, secret_id: 'sec_expired', expires_at: '2026-11-14T10:00:00.000Z' };
  const newest = { ...known, secret_id: 'sec_new', created_at: '2026-11-14T09:00:00.000Z' };

  expect(viewOf(subscription({ signing_secrets: [old, expired, newest] })).signing_secrets).toEqual([
    newest,
    old,
  ]);
});
