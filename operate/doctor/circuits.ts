import { ALL_DUE_SHARDS } from '../../functions/adapters/due-shard.ts';
import { queryPages } from '../../functions/adapters/query-pages.ts';
import { subscriptionsTable } from '../../functions/adapters/table-keys.ts';
import { type Check, ok, warning } from './check.ts';

/** How many endpoints are given up for the moment. Their fault, as a rule, and not ours: unless it is all of them. */
export const circuits: Check = {
  name: 'circuits',
  async run({ clients, output }) {
    const counts = new Map<string, number>();
    for (const shard of ALL_DUE_SHARDS) {
      const pages = queryPages(clients.dynamodb, {
        TableName: output('data', 'SubscriptionsTableName'),
        IndexName: subscriptionsTable.due,
        KeyConditionExpression: '#shard = :shard',
        ExpressionAttributeNames: { '#shard': 'due_shard' },
        ExpressionAttributeValues: { ':shard': { S: shard } },
      });
      for await (const items of pages) {
        for (const { circuit } of items as { circuit?: { state?: string } }[]) {
          const state = circuit?.state ?? 'closed';
          counts.set(state, (counts.get(state) ?? 0) + 1);
        }
      }
    }
    const open = (counts.get('open') ?? 0) + (counts.get('half_open') ?? 0);
    const draining = counts.get('draining') ?? 0;
    const seen = `${open} open, ${draining} draining`;
    return open === 0
      ? ok(seen)
      : warning(
          seen,
          'These endpoints fail: their partners see it in the API. Are they many at once? Then look for a fault on our side: docs/operations.md',
        );
  },
};
