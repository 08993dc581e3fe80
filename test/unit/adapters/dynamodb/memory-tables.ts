import type {
  AttributeValue,
  ConditionCheck,
  Delete,
  DynamoDBClient,
  Put,
  TransactWriteItem,
  TransactWriteItemsCommand,
  Update,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyTable, orderingKeysTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { cancelled } from './pages.ts';

type Item = Record<string, unknown>;
type Action = Partial<Put> & Partial<Update> & Partial<Delete> & Partial<ConditionCheck>;

/** The conditions of our transactions. Any other is a mistake in the test. */
const CONDITIONS: Record<string, (item: Item | undefined, values: Item) => boolean> = {
  'attribute_not_exists(#key)': (item) => item === undefined,
  'attribute_not_exists(#body_erased_at)': (item) => item?.body_erased_at === undefined,
  'attribute_not_exists(#ended_at)': (item) => item?.ended_at === undefined,
  '#revision = :revision': (item, values) => item?.revision === values[':revision'],
};

/**
 * Tables that handle transactions as DynamoDB does: all or nothing, each write on its condition, and none
 * repeated with the same token.
 */
export function memoryTables() {
  const items = new Map<string, Item>();
  const tokens = new Set<string>();

  function address({ TableName, Key, Item }: Action): string {
    const { partitionKey, sortKey } = TableName === 'keys' ? orderingKeysTable : historyTable;
    const { [partitionKey]: partition, [sortKey]: sort } = unmarshall(
      (Key ?? Item) as Record<string, AttributeValue>,
    );
    return `${TableName} ${partition} ${sort}`;
  }

  function holds(action: Action): boolean {
    const { ConditionExpression: condition, ExpressionAttributeValues: values = {} } = action;
    const all = condition?.split(' AND ') ?? [];
    return all.every((one) => CONDITIONS[one]!(items.get(address(action)), unmarshall(values)));
  }

  function write({ Put, Update, Delete }: TransactWriteItem): void {
    if (Put !== undefined) {
      items.set(address(Put), unmarshall(Put.Item ?? {}));
    }
    if (Update !== undefined) {
      const { ':next': revision } = unmarshall(Update.ExpressionAttributeValues ?? {});
      items.set(address(Update), { ...items.get(address(Update)), revision });
    }
    if (Delete !== undefined) {
      items.delete(address(Delete));
    }
  }

  const client = {
    async send({ input: { ClientRequestToken: token, TransactItems = [] } }: TransactWriteItemsCommand) {
      if (token !== undefined && tokens.has(token)) {
        return {};
      }
      const met = TransactItems.map((one) => holds(Object.values(one)[0] as Action));
      if (met.includes(false)) {
        throw cancelled(...met.map((isMet) => (isMet ? 'None' : 'ConditionalCheckFailed')));
      }
      if (token !== undefined) {
        tokens.add(token);
      }
      TransactItems.forEach(write);
      return {};
    },
  } as unknown as DynamoDBClient;

  /** The sort keys of the items in the keys table. */
  const keyItems = () =>
    [...items]
      .filter(([name]) => name.startsWith('keys '))
      .map(([name]) => name.split(' ').at(-1) as string)
      .sort();
  return { client, items, keyItems };
}
