import { type DynamoDBClient, GetItemCommand, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { recoveryTable } from '../../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import {
  newRecovery,
  recoveryStep,
  stoppedRecovery,
} from '../../../../../functions/core/message/recovery.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { at } from '../../../pipeline/wake/world.ts';
import { conditionFailed } from '../cancelled.ts';

const recovery = newRecovery(
  { service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1', since: at(-60_000), until: at(0) },
  TEN_O_CLOCK_MS,
);
const stepped = recoveryStep(recovery, { messages: [], continueAt: at(-5) }, TEN_O_CLOCK_MS).after;
type Item = Record<string, unknown>;

/** Whether an item meets a condition of this table. */
const CONDITIONS: Record<string, (item: Item | undefined, values: Item) => boolean> = {
  'attribute_not_exists(#state) OR #state <> :running': (item, values) => item?.state !== values[':running'],
  '#recovery_id = :recovery_id AND #step = :step': (item, values) =>
    item?.recovery_id === values[':recovery_id'] && item?.step === values[':step'],
};

function table() {
  const items = new Map<string, Item>();
  const nameOf = ({ service_id, item }: Item) => `${service_id} ${item}`;
  const client = {
    async send(command: GetItemCommand | PutItemCommand) {
      if (command instanceof GetItemCommand) {
        const item = items.get(nameOf(unmarshall(command.input.Key ?? {})));
        return item === undefined ? {} : { Item: marshall(item) };
      }
      const { Item = {}, ConditionExpression = '', ExpressionAttributeValues = {} } = command.input;
      const item = unmarshall(Item);
      const known = items.get(nameOf(item));
      if (!CONDITIONS[ConditionExpression]?.(known, unmarshall(ExpressionAttributeValues))) {
        throw conditionFailed(known);
      }
      items.set(nameOf(item), item);
      return {};
    },
  } as unknown as DynamoDBClient;
  let nowMs = TEN_O_CLOCK_MS;
  const now = () => nowMs;
  return {
    items,
    pass: (ms: number) => {
      nowMs += ms;
    },
    recoveries: recoveryTable(client, { table: 'subscriptions', graceMs: 120_000, retentionDays: 90, now }),
  };
}

test('a recovery is stored beside its subscription, and found there', async () => {
  const { recoveries, items } = table();
  expect(await recoveries.find(recovery)).toBeUndefined();
  expect(await recoveries.start(recovery)).toEqual({ kind: 'started' });
  expect([...items.keys()]).toEqual(['bakery recovery#sub_1']);
  expect(await recoveries.find(recovery)).toEqual(recovery);
});

test('what a recovery is narrowed to is stored with it, and stays from step to step', async () => {
  const { recoveries } = table();
  const narrowed = { ...recovery, states: ['cancelled' as const], event_types: ['card_payment_re*'] };
  await recoveries.start(narrowed);
  expect(await recoveries.find(recovery)).toEqual(narrowed);
  const { after } = recoveryStep(narrowed, { messages: [], continueAt: at(-5) }, TEN_O_CLOCK_MS);
  await recoveries.advance(narrowed, after);
  expect(await recoveries.find(recovery)).toMatchObject({ step: 1, states: ['cancelled'] });
});

test('sweep checks a running recovery; an ended one expires after ninety days', async () => {
  const { recoveries, items } = table();
  await recoveries.start(recovery);
  const itself = () => items.get('bakery recovery#sub_1');
  expect(itself()).toMatchObject({ due_shard: expect.stringMatching(/^[0-7]$/), check_at: at(120_000) });
  expect(itself()).not.toHaveProperty('remove_at_epoch_seconds');

  await recoveries.advance(recovery, stoppedRecovery(recovery, TEN_O_CLOCK_MS));
  expect(itself()).not.toHaveProperty('due_shard');
  expect(itself()).not.toHaveProperty('check_at');
  expect(itself()).toMatchObject({ remove_at_epoch_seconds: TEN_O_CLOCK_MS / 1_000 + 90 * 86_400 });
});

test('of two recoveries started at once, one runs, and the other learns which', async () => {
  const { recoveries } = table();
  await recoveries.start(recovery);
  const second = { ...recovery, recovery_id: 'rec_2' };
  expect(await recoveries.start(second)).toEqual({ kind: 'running', other: recovery });

  await recoveries.advance(recovery, stoppedRecovery(recovery, TEN_O_CLOCK_MS));
  expect(await recoveries.start(second)).toEqual({ kind: 'started' });
  expect(await recoveries.find(recovery)).toEqual(second);
});

test('a recovery whose answer was lost is started, though the SDK then meets it', async () => {
  const { recoveries } = table();
  await recoveries.start(recovery);
  expect(await recoveries.start(recovery)).toEqual({ kind: 'started' });
});

test('a step whose answer was lost is written, though the SDK then meets it', async () => {
  const { recoveries } = table();
  await recoveries.start(recovery);
  await recoveries.advance(recovery, stepped);
  expect(await recoveries.advance(recovery, stepped)).toBe(true);
});

test('a step is written once, and never over a newer recovery', async () => {
  const { recoveries, pass } = table();
  await recoveries.start(recovery);
  expect(await recoveries.advance(recovery, stepped)).toBe(true);
  pass(1);
  expect(await recoveries.advance(recovery, stepped)).toBe(false);
  expect(await recoveries.advance({ ...stepped, recovery_id: 'rec_0' }, stepped)).toBe(false);
  expect(await recoveries.find(recovery)).toEqual(stepped);
});

test('a recovery that does not exist is not written', async () => {
  const { recoveries, items } = table();
  expect(await recoveries.advance(recovery, stepped)).toBe(false);
  expect(items.size).toBe(0);
});
