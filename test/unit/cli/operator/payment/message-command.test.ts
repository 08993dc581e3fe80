import { type DynamoDBClient, type GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { historyItems } from '../../../../../functions/adapters/dynamodb/history/history-items.ts';
import { packed } from '../../../../../functions/adapters/dynamodb/history/stored-resource.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { resourceAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { messageId } from '../../../../../functions/core/message/message.ts';
import { ops } from '../../../../support/operator-run.ts';
import { messageRecord } from '../../../api/builders.ts';

const EVENT = { service_id: 'shop', payment_id: 'pay_1', event_id: 'evt_1' };
const ID = messageId({ ...EVENT, subscription_id: 'sub_1' });
const RECORD = messageRecord({ message_id: ID, attempt_count: 2 });
const SECOND = { attempt: 2, started_at: '2026-01-01T00:00:08.000Z', duration_ms: 9, status_code: 200 };

/** A history with these items, asked for a message and for a resource beside it. */
function stageWith(items: readonly Item[]) {
  const dynamodb = {
    async send(command: QueryCommand | GetItemCommand) {
      if (command instanceof QueryCommand) {
        return { Items: items.filter(({ item }) => String(item).startsWith('message#')).map(marshalled) };
      }
      const wanted = command.input.Key?.item;
      const found = items.find(({ item }) => item === wanted?.S);
      return found === undefined ? {} : { Item: marshalled(found) };
    },
  } as unknown as DynamoDBClient;
  return { dynamodb, tables: async () => ({ history: 'history' }) } as unknown as StageAccess;
}

const shown = async (items: readonly Item[], ...args: string[]) =>
  (await ops(['message', ID, ...args], { access: async () => stageWith(items) })).printed;

const BODY = `{"webhook_message_id":"${ID}","api_version":1,"created_date":"2026-01-01T00:00:00.000Z","resource_id":"pay_1","resource_type":"payment","event_type":"card_payment_captured","resource":{"amount":1000}}`;

test('a message is shown with its body as sent, and every attempt', async () => {
  const items = historyItems([{ record: RECORD, laterAttempt: SECOND }], 90);
  expect(await shown(items)).toContain(BODY);
  const { body, attempts } = JSON.parse(await shown(items, '--json'));
  expect(body).toBe(BODY);
  expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2]);
});

test('a large resource is taken from beside the message', async () => {
  const { resource = '', ...record } = RECORD;
  const items = [
    ...historyItems([{ record }], 90),
    { ...resourceAddress(EVENT), resource: packed(resource) },
  ];
  expect(await shown(items)).toContain(BODY);
});

test.each([
  ['msg_Zt3nN0T9yq8Wm1xJbQeA5oRv', 'ust be msg_ and 40 letters, digits, _ and -'],
  [ID, `No message ${ID} is on record on local`],
])('%s is refused when it is no id, or of nothing', async (id, reason) => {
  await expect(ops(['message', id], { access: async () => stageWith([]) })).rejects.toThrow(reason);
});
