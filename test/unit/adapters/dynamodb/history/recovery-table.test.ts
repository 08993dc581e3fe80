import type { DynamoDBClient, PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { recoveryTable } from '../../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { newRecovery, stoppedRecovery } from '../../../../../functions/core/message/recovery.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { at } from '../../../pipeline/wake/world.ts';

const recovery = newRecovery(
  { service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1', since: at(-60_000), until: at(0) },
  TEN_O_CLOCK_MS,
);

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
