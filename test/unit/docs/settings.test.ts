import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { PROJECT } from '../../support/documented/pages.ts';

test.each(['dev', 'prod'] as const)('the limits of all circuits of %s follow from its workers', (name) => {
  const { deliveryPolicy, concurrency } = STAGES[name];
  expect(deliveryPolicy.circuit).toMatchObject({
    slowOfAll: concurrency.deliver / 2,
    widestWindowOfAll: 4 * concurrency.deliver,
  });
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
