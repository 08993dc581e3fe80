import { routingItemSchema } from '../../../functions/adapters/dynamodb/subscriptions/routing-item.ts';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import type { MatchPorts } from '../../../functions/pipeline/match/ports.ts';
import type { Shore } from './shore.ts';

export function matchPorts({ calls, deliveries, observations }: Shore): MatchPorts {
  const { subscriptions } = calls.tables;
  return {
    routesOf: (ids) =>
      calls.table('BatchGetItem', () => ({
        routes: new Map(
          ids.flatMap((id) => {
            const item = subscriptions.get(id, subscriptionsTable.routesItem);
            return item === undefined ? [] : [[id, routingItemSchema.parse(item).routes] as const];
          }),
        ),
        unreadable: new Map<string, string>(),
        untaken: new Set<string>(),
      })),
    keepResource: () => Promise.reject(new Error('all resources are small here')),
    async send(messages) {
      const entries = messages.map((message) => ({
        group: orderingKey(message),
        body: JSON.stringify(message),
      }));
      const bytes = entries.reduce((sum, { body }) => sum + body.length, 0);
      await calls.queue('SendMessageBatch', true, bytes, () => {
        for (const { group, body } of entries) {
          deliveries.send(group, body);
        }
      });
      return [];
    },
    async deadLetter(deadRecords) {
      for (const { explanation } of deadRecords) {
        observations.fault(`buried: ${explanation}`);
      }
      return [];
    },
    internalError: (error) => observations.fault(error),
    observe: () => {},
  };
}
