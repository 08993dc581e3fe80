import { type DynamoDBClient, PutItemCommand, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { auditTrailTable } from '../../../../../functions/adapters/dynamodb/api/audit-table.ts';
import { conditionFailed } from '../pages.ts';

type Item = Record<string, unknown>;

/** A table that understands the two commands. */
function table() {
  const items = new Map<string, Item>();
  const nameOf = ({ service_id, change_id }: Item) => `${service_id} ${change_id}`;
  const client = {
    async send(command: PutItemCommand | QueryCommand) {
      if (command instanceof PutItemCommand) {
        const item = unmarshall(command.input.Item ?? {});
        expect(command.input.ConditionExpression).toBe('attribute_not_exists(#change_id)');
        if (items.has(nameOf(item))) {
          throw conditionFailed();
        }
        items.set(nameOf(item), item);
        return {};
      }
      const {
        ExpressionAttributeValues = {},
        ExclusiveStartKey,
        FilterExpression,
        Limit = 0,
      } = command.input;
      const wanted = unmarshall(ExpressionAttributeValues);
      const after = ExclusiveStartKey && unmarshall(ExclusiveStartKey).change_id;
      const rest = [...items.values()]
        .filter(({ service_id }) => service_id === wanted[':service_id'])
        .filter(({ change_id }) => after === undefined || String(change_id) < after)
        .sort((a, b) => (String(a.change_id) < String(b.change_id) ? 1 : -1));
      const read = rest.slice(0, Limit);
      const last = rest.length > Limit ? read.at(-1) : undefined;
      return {
        Items: read
          .filter(
            (item) => FilterExpression === undefined || item.subscription_id === wanted[':subscription_id'],
          )
          .map((item) => marshall(item)),
        ...(last && {
          LastEvaluatedKey: marshall({ service_id: last.service_id, change_id: last.change_id }),
        }),
      };
    },
  } as unknown as DynamoDBClient;
  return { trail: auditTrailTable(client, 'audit'), items };
}

const entry = {
  service_id: 'shop',
  at: '2026-11-14T10:00:00.000Z',
  request_id: 'JKJaXmPLvHcESHA=',
  token_id: 'tok_1',
  operation: 'pauseSubscription',
};

test('an entry is stored under its service and instant, and expires after 400 days', async () => {
  const { trail, items } = table();
  await trail.keep({ ...entry, changed: { rate_limit: { from: undefined, to: 5 } } });
  expect([...items.values()]).toEqual([
    {
      ...entry,
      changed: { rate_limit: { to: 5 } },
      change_id: '2026-11-14T10:00:00.000Z#JKJaXmPLvHcESHA=',
      // 2027-12-19T10:00:00Z
      remove_at_epoch_seconds: 1_829_210_400,
    },
  ]);
});

test('a page of one subscription that found nothing among a thousand changes still continues', async () => {
  const { trail } = table();
  for (let i = 0; i < 1_001; i++) {
    const request_id = String(i).padStart(4, '0');
    await trail.keep({ ...entry, request_id, subscription_id: i === 0 ? 'sub_rare' : 'sub_usual' });
  }
  const wanted = { limit: 5, subscriptionId: 'sub_rare' };

  const first = await trail.page('shop', wanted);
  const second = await trail.page('shop', { ...wanted, after: first.next! });

  expect(first.changes).toEqual([]);
  expect(second).toMatchObject({ changes: [{ request_id: '0000' }] });
  expect(second.next).toBeUndefined();
});
