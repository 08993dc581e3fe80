import { randomUUID } from 'node:crypto';
import type { EndpointHealth } from '../../../functions/core/circuit/health-shape.ts';
import { subscription } from '../builders.ts';
import type { Tables } from './tables.ts';

/** The next revision, with one more ordering key that failed. */
function counted(health: EndpointHealth, orderingKey: string): EndpointHealth {
  const { circuit } = health;
  return {
    ...health,
    circuit: {
      ...{ ...circuit, revision: circuit.revision + 1 },
      failed_ordering_keys: [...circuit.failed_ordering_keys, orderingKey],
    } as EndpointHealth['circuit'],
  };
}

/** Endpoint health under an optimistic lock: each report counts, and none is written over another. */
export function circuitPromises(open: () => Pick<Tables, 'circuits'>): void {
  const some = () => open().circuits(subscription({ subscription_id: `sub_${randomUUID()}` }));

  test('of workers that report on what they read, one is refused, and reports on what is there now', async () => {
    const { health, replace } = await some();
    const before = (await health())!;
    const both = await Promise.all(['one', 'two'].map((key) => replace(before, counted(before, key))));
    expect(both.sort()).toEqual([false, true]);
    const now = (await health())!;
    expect(await replace(now, counted(now, 'three'))).toBe(true);
    expect((await health())?.circuit).toMatchObject({
      revision: 2,
      failed_ordering_keys: [expect.any(String), 'three'],
    });
  });

  test('a reason to disable goes when the subscription is active again', async () => {
    const { health, replace } = await some();
    const active = (await health())!;
    const disabled: EndpointHealth = {
      ...counted(active, 'one'),
      ...{ state: 'disabled', disabled_reason: 'gone', disabled_at: '2026-11-14T10:00:00.000Z' },
    };
    expect(await replace(active, disabled)).toBe(true);
    expect(await health()).toEqual(disabled);
    const { disabled_reason: _, disabled_at: __, ...again } = counted(disabled, 'two');
    expect(await replace(disabled, { ...again, state: 'active' })).toBe(true);
    expect(await health()).toEqual({ ...again, state: 'active' });
  });
}
