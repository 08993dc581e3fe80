import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { DEFAULTS, withDefaults } from '../../../lib/settings.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { PROJECT } from '../../support/documented/pages.ts';

test.each([
  ['local', 250, 125, 200],
  ['dev', 100, 50, 400],
  ['prod', 500, 250, 2_000],
] as const)('%s has %d workers, and its endpoints hold %d of them, and %d payments', (name, ...limits) => {
  const { deliveryPolicy, concurrency } = STAGES[name];
  const { slowOfAll, widestWindowOfAll } = deliveryPolicy.circuit;
  expect([concurrency.deliver, slowOfAll, widestWindowOfAll]).toEqual(limits);
});

test("a policy's own limits stay as they are, whatever the workers", () => {
  const circuit = { ...DELIVERY_POLICY.circuit, slowOfAll: 7, widestWindowOfAll: 9 };
  const given = { name: 'own', deliveryPolicy: { ...DELIVERY_POLICY, circuit } };
  expect(withDefaults(DEFAULTS, given).deliveryPolicy.circuit).toEqual(circuit);
});

test.each(Object.values(STAGES))(
  'match of $name has a worker for each shard, and one for the rest',
  (stage) => {
    expect(stage.concurrency.match).toBe(stage.shards + 1);
  },
);

test('in the example of a circuit that opens, the first probe comes after the first cool-down', () => {
  const examples = readFileSync(path.join(PROJECT, 'docs/examples/operational-events.jsonl'), 'utf8');
  const { type, reason, at, probe_at } = JSON.parse(examples.split('\n')[0] ?? '');
  expect({ type, reason }).toEqual({ type: 'circuit.opened', reason: 'payments_failed' });
  expect(Date.parse(probe_at) - Date.parse(at)).toBe(DELIVERY_POLICY.circuit.firstCoolDownMs);
});
