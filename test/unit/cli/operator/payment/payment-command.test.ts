import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { attemptAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageRecord } from '../../../../../functions/core/message/history.ts';
import { messageId } from '../../../../../functions/core/message/message.ts';
import { subscription } from '../../../../support/builders.ts';
import { ops } from '../../../../support/operator-run.ts';
import { messageRecord } from '../../../api/builders.ts';

type Item = Readonly<Record<string, unknown>>;

const NOW_MS = Date.parse('2026-01-01T00:00:20.000Z');
const ANSWER = 'what the endpoint answered';
const FAILED = {
  attempt: 1,
  started_at: '2026-01-01T00:00:02.000Z',
  duration_ms: 9,
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'answered 503',
  response_body: ANSWER,
} as const;
const idOf = (service_id: string) =>
  messageId({ service_id, payment_id: 'pay_1', event_id: 'evt_1', subscription_id: 'sub_1' });
const MESSAGE_ID = idOf('shop');
const RETRYING = messageRecord({
  message_id: MESSAGE_ID,
  state: 'retrying',
  attempt_count: 2,
  next_attempt_at: '2026-01-01T00:00:30.000Z',
  last_attempt_at: '2026-01-01T00:00:08.000Z',
  first_attempt: FAILED,
});
const SECOND = {
  ...FAILED,
  ...attemptAddress(MESSAGE_ID, 2),
  attempt: 2,
  started_at: '2026-01-01T00:00:08.000Z',
};
const SUBSCRIPTION = { ...subscription({ service_id: 'shop' }), item: 'sub_1' };

interface Items {
  readonly messages?: readonly MessageRecord[];
  readonly attempts?: readonly Item[];
  readonly others?: readonly Item[];
}

/**
 * As much of DynamoDB as looking at a payment needs. Whoever is on call must name attributes, and not these.
 */
function stageWith({ messages = [], attempts = [], others = [] }: Items, { isOnCall = false } = {}) {
  const forbidden = ['callback_url', 'first_attempt', 'failure_reason', 'response_body', 'resource'];
  const projected = (items: readonly Item[], names: Readonly<Record<string, string>>, isWhole: boolean) =>
    items.map((item) =>
      marshall(
        Object.fromEntries(
          Object.entries(item).filter(([name]) => isWhole || Object.values(names).includes(name)),
        ),
        { removeUndefinedValues: true },
      ),
    );
  const dynamodb = {
    async send(command: object) {
      if (!(command instanceof QueryCommand || command instanceof GetItemCommand)) {
        throw new Error('looking neither scans nor changes anything');
      }
      const { input } = command;
      const { ExpressionAttributeNames: names = {}, ProjectionExpression } = input;
      const isKeys = input.TableName === 'keys';
      const isWhole = ProjectionExpression === undefined;
      if (isOnCall && !isKeys && (isWhole || forbidden.some((name) => Object.values(names).includes(name)))) {
        throw Object.assign(
          new Error(
            'User: arn:aws:sts::1:assumed-role/OnCall/ada is not authorized to perform: dynamodb:Query on resource: "x"',
          ),
          { name: 'AccessDeniedException' },
        );
      }
      if (command instanceof GetItemCommand) {
        const key = unmarshall(command.input.Key ?? {});
        const found = others.filter((item) =>
          Object.entries(key).every(([name, value]) => item[name] === value),
        );
        const [Item] = projected(found, names, isWhole);
        return Item === undefined ? {} : { Item };
      }
      const values = unmarshall(command.input.ExpressionAttributeValues ?? {});
      const found = [...messages.map((record) => messageItem(record)), ...attempts]
        .filter((item) => item.payment_hash === values[':payment'])
        .sort((one, other) => (String(one.item) < String(other.item) ? -1 : 1));
      return { Items: projected(found, names, isWhole) };
    },
  } as unknown as DynamoDBClient;
  const tables = {
    history: 'history',
    sequences: 'sequences',
    subscriptions: 'subscriptions',
    orderingKeys: 'keys',
  };
  return { dynamodb, tables: async () => tables } as unknown as StageAccess;
}

async function shown(items: Items, options: { isOnCall?: boolean } = {}, ...args: string[]) {
  const access = async () => stageWith(items, options);
  const { isWell, printed } = await ops(['payment', 'shop', 'pay_1', ...args], { access, now: () => NOW_MS });
  expect(isWell).toBe(true);
  return printed;
}

const PAYMENT = { messages: [RETRYING], attempts: [SECOND], others: [SUBSCRIPTION] };

test('an operator sees the timeline, with descriptions and without what was sent and answered', async () => {
  const printed = await shown(PAYMENT);
  expect(printed).toContain('orders  card_payment_captured  ✗ attempt 1: answered 503 in 9 ms');
  expect(printed).toContain('orders  card_payment_captured  ✗ attempt 2: answered 503');
  expect(printed).toContain('↻ next attempt at 2026-01-01 00:00:30 (in 10 s)  msg_');
  expect(printed).not.toContain('not shown');
  expect(await shown(PAYMENT, {}, '--json')).not.toMatch(/webhook_message_id|what the endpoint answered/);
});

test('the person on call sees when and with which status, and where to read on', async () => {
  const printed = await shown(PAYMENT, { isOnCall: true });
  expect(printed).toContain(
    '00:00:01.007  sub_1  card_payment_captured  · attempt 1: what came of it is not shown',
  );
  expect(printed).toContain('✗ attempt 2: answered 503 in 9 ms\n');
  expect(printed).toContain('is not shown: your role sees no answers of endpoints');
  expect(JSON.parse(await shown(PAYMENT, { isOnCall: true }, '--json')).withheld).toHaveLength(2);
});

test('a sequence that waits is told before anything was sent', async () => {
  const progress = {
    payment: 'shop#pay_1',
    item: 'sequence',
    next: 1,
    recent: [],
    early: [{ sequence: 2, event_id: 'evt_2', since: '2026-01-01T00:00:19.000Z' }],
    sent: {},
  };
  const printed = await shown({ others: [progress] });
  expect(printed).toContain('evt_2 (2)  … arrived early, waits for number 1');
  // Twenty seconds on the local stage.
  expect(printed).toContain(
    'Number 1 is next.\n  It is waited for until 2026-01-01 00:00:39 at most (in 19 s), by 2.',
  );
});

test('a stuck payment says why, and what to do', async () => {
  const stuck = {
    ordering_key: 'sub_1.pay_1',
    item: 'ordering_key',
    service_id: 'shop',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    revision: 1,
    oldest_since: '2026-01-01T00:00:01.000Z',
    state: 'stuck',
    since: '2026-01-01T00:00:09.000Z',
    explanation: 'there is no signing secret',
  };
  const printed = await shown({ ...PAYMENT, others: [SUBSCRIPTION, stuck] });
  expect(printed).toContain(
    'sub_1.pay_1 is stuck since 2026-01-01T00:00:09.000Z: there is no signing secret; npm run ops -- stuck show sub_1.pay_1 --stage local',
  );
});

test.each<[Items, string]>([
  [{}, 'nothing of it is there'],
  [
    { messages: [{ ...RETRYING, message_id: idOf('other'), service_id: 'other' }] },
    'it is of another service',
  ],
])('a payment that is not on record ends with what to check: %#', async (items) => {
  const access = async () => stageWith(items);
  await expect(ops(['payment', 'shop', 'pay_1'], { access })).rejects.toThrow(
    /^Nothing is on record of the payment pay_1 of shop on local\. Are both ids right\?/,
  );
});
