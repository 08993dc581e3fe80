import type { DynamoDBClient, PutItemCommandInput, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { pastMessages } from '../../../../../functions/adapters/dynamodb/history/past-messages.ts';
import { recoveryTable } from '../../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { pingCount } from '../../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { newRecovery, stoppedRecovery } from '../../../../../functions/core/message/recovery.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { at, pastMessage } from '../../../pipeline/wake/world.ts';
import { paged } from '../pages.ts';

/** An index with messages, where a limit of a thousand is four; each page of DynamoDB holds three. */
function indexed(messages: readonly Record<string, unknown>[]) {
  const { client, queries } = paged(
    () => messages.map((one) => ({ ...messageAddress(String(one.message_id)), ...one })),
    { pageSize: 3 },
  );
  const faults: string[] = [];
  const read = pastMessages(client, 'history', ({ message }) => faults.push(message), 4);
  return {
    queries,
    faults,
    read: () =>
      read({ service_id: 'bakery', subscription_id: 'sub_1', continue_at: at(-60_000), until: at(0) }),
  };
}
const several = (...admittedMs: number[]) => admittedMs.map((ms, index) => pastMessage(index, ms));

test('an instant that fills more than a page is read completely', async () => {
  const messages = several(-9, -9, -9, -9, -9, -9, -9, -8, -7);
  expect(await indexed(messages).read()).toEqual({ messages: messages.slice(0, 8), continueAt: at(-7) });
});

test('unreadable messages are skipped', async () => {
  const [first, second] = several(-9, -8);
  const { read, faults } = indexed([{ ...first, state: 'odd' }, { ...second }]);
  expect(await read()).toEqual({ messages: [second] });
  expect(faults).toEqual(['message_id msg_0: cannot be read; see state']);
});

test('the service is that of the recovery: the index has no room for it', async () => {
  const { service_id: _, ...indexedAttributes } = pastMessage(1, -9);
  expect(await indexed([indexedAttributes]).read()).toEqual({ messages: [pastMessage(1, -9)] });
});

test('a time span that has been read completely is not queried again', async () => {
  const { client, queries } = paged(() => []);
  const read = pastMessages(client, 'history', () => {});
  expect(
    await read({ service_id: 'bakery', subscription_id: 'sub_1', continue_at: at(0), until: at(0) }),
  ).toEqual({
    messages: [],
  });
  expect(queries).toEqual([]);
});

test('pings are counted per minute, for the service and for the subscription', async () => {
  const counts = new Map<string, number>();
  let nowMs = TEN_O_CLOCK_MS;
  const client = {
    async send({ input }: UpdateItemCommand) {
      const name = JSON.stringify(input.Key && unmarshall(input.Key));
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { Attributes: { count: { N: String(count) } } };
    },
  };
  const count = pingCount(client as unknown as DynamoDBClient, { table: 'subscriptions', now: () => nowMs });
  const shop = (subscription_id: string) => count({ service_id: 'shop', subscription_id });
  expect(await shop('sub_1')).toEqual({ ofService: 1, ofSubscription: 1 });
  nowMs += 59_999;
  expect(await shop('sub_2')).toEqual({ ofService: 2, ofSubscription: 1 });
  nowMs += 1;
  expect(await shop('sub_2')).toEqual({ ofService: 1, ofSubscription: 1 });
});

const recovery = newRecovery({
  ...{ service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1' },
  ...{ since: at(-60_000), until: at(0), started_at: at(0) },
});

test('sweep checks a running recovery; an ended one expires after ninety days', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, PutItemCommandInput>(() => ({}));
  const recoveries = recoveryTable(client, {
    ...{ table: 'subscriptions', graceMs: 120_000, retentionDays: 90, now: () => TEN_O_CLOCK_MS },
  });
  await recoveries.start(recovery);
  await recoveries.advance(recovery, stoppedRecovery(recovery, TEN_O_CLOCK_MS));

  const [running, ended] = inputs.map(({ Item = {} }) => unmarshall(Item));
  expect(running).toMatchObject({ due_shard: expect.stringMatching(/^[0-7]$/), check_at: at(120_000) });
  expect(running).not.toHaveProperty('remove_at_epoch_seconds');
  expect(ended).not.toHaveProperty('due_shard');
  expect(ended).not.toHaveProperty('check_at');
  expect(ended).toMatchObject({ remove_at_epoch_seconds: TEN_O_CLOCK_MS / 1_000 + 90 * 86_400 });
});
