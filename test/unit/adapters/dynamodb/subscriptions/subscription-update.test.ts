import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  subscriptionPut,
  subscriptionUpdate,
} from '../../../../../functions/adapters/dynamodb/subscriptions/subscription-update.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../../support/builders.ts';

const timed = { ...CLOSED, revision: 3, generation: 1, timer_at: '2026-11-14T10:00:00.000Z' };

/** The write and its condition, with names and values filled in. */
function written(before: Subscription, after: Subscription, more: Record<string, unknown> = {}) {
  const update = subscriptionUpdate('subscriptions', before, after, 120_000, more);
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues } = update;
  const values = unmarshall(ExpressionAttributeValues ?? {});
  const said = (text = '') =>
    text
      .replace(/#\w+/g, (name) => names[name] ?? '?')
      .replace(/:\w+/g, (name) => JSON.stringify(values[name]) ?? '?');
  return { does: said(update.UpdateExpression), where: said(update.ConditionExpression) };
}

test('only what changed is written, whatever a worker does to the circuit meanwhile', () => {
  const before = subscription({ revision: 4, circuit: timed });

  expect(written(before, { ...before, description: 'invoices', revision: 5 })).toEqual({
    does: 'SET description = "invoices", revision = 5',
    where: 'attribute_exists(state) AND revision = 4',
  });
});

test('a field without a value is removed', () => {
  const before = subscription({ revision: 4, contact: 'ops@shop.example' });

  expect(written(before, subscription({ revision: 5 })).does).toBe('SET revision = 5 REMOVE contact');
});

test('endpoint health is written on condition that it has not changed', () => {
  const before = subscription({ revision: 4, circuit: timed });

  expect(written(before, { ...before, rate_limit: 5, revision: 5 })).toEqual({
    does: 'SET revision = 5, rate_limit = 5',
    where: 'attribute_exists(state) AND revision = 4 AND circuit.revision = 3',
  });
});

test('a circuit that starts its timer enters the due index', () => {
  const before = subscription();
  const { does, where } = written(before, subscription({ revision: 2, circuit: { ...timed, revision: 1 } }));

  expect(does).toContain('check_at = "2026-11-14T10:02:00.000Z"');
  expect(does).toMatch(/due_shard = "\d"/);
  expect(where).toBe(
    'attribute_exists(state) AND attribute_not_exists(revision) AND attribute_not_exists(circuit)',
  );
});

test('a deleted subscription gets a time to live', () => {
  const before = subscription({ revision: 4 });

  expect(written(before, { ...before, state: 'deleted', revision: 5 }, { remove_at: 7 }).does).toBe(
    'SET state = "deleted", revision = 5, remove_at = 7',
  );
});

test('a new subscription is written only if its id is free', () => {
  const { Item, ConditionExpression } = subscriptionPut('subscriptions', subscription(), 120_000);

  expect(unmarshall(Item!)).toEqual({ ...subscription(), item: 'sub_1' });
  expect(ConditionExpression).toBe('attribute_not_exists(#item)');
});
