import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  QueryCommand,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { localAccess, type OperatedTable } from '../../../cli/stage/stage-access.ts';
import { paymentHash } from '../../../functions/core/message/message.ts';
import { steps } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';
import { ops } from '../../support/operator-run.ts';

const PAYMENTS = ['pay-a', 'pay-b', 'pay-c'];
const RESTORED = [
  'subscriptions',
  'signingSecrets',
  'history',
  'orderingKeys',
] as const satisfies OperatedTable[];

const restored: Record<string, string> = {};

afterAll(async () => {
  for (const TableName of Object.values(restored)) {
    await stack.dynamodb.send(new DeleteTableCommand({ TableName }));
  }
});

/**
 * The command's output for an operator. No other test uses this ordering key, and other tests need deliver to
 * run.
 */
async function restore(...args: string[]) {
  const { isWell, printed } = await ops(['restore', ...args, '--per-second', '10000', '--json'], {
    access: async () => ({ ...(await localAccess(stack.outputs)), isStopped: async () => true }),
  });
  return { ok: isWell, ...JSON.parse(printed) };
}

/** Deletes items of a table, as an accident would. */
async function lose(
  table: OperatedTable,
  partition: Record<string, string>,
  sortKey?: string,
): Promise<number> {
  const [[name = '', value] = []] = Object.entries(partition);
  const TableName = stack.outputs.tables[table];
  const { Items = [] } = await stack.dynamodb.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: '#name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: marshall({ ':value': value }),
    }),
  );
  for (const item of Items.map((one) => unmarshall(one))) {
    const Key = marshall({ [name]: value, ...(sortKey === undefined ? {} : { [sortKey]: item[sortKey] }) });
    await stack.dynamodb.send(new DeleteItemCommand({ TableName, Key }));
  }
  return Items.length;
}

test('lost subscriptions, secrets, history and ordering keys are restored from backup tables and delivered in order, each once', async () => {
  const { id } = await service.subscribe(partner.url('partner'));
  await service.call('POST', `/subscriptions/${id}/pause`);
  await stack.publish(...steps(service, PAYMENTS, 3));
  await service.messages(id, (all) => all.length === 9);

  for (const table of RESTORED) {
    const SourceTableName = stack.outputs.tables[table];
    const TargetTableName = `restored-${table}-${randomUUID()}`;
    await stack.dynamodb.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName,
        TargetTableName,
        UseLatestRestorableTime: true,
      }),
    );
    await waitUntilTableExists({ client: stack.dynamodb, maxWaitTime: 60 }, { TableName: TargetTableName });
    restored[table] = TargetTableName;
  }
  const from = (table: (typeof RESTORED)[number]) => ['--from', restored[table] ?? ''];

  expect(await lose('subscriptions', { service_id: service.serviceId }, 'item')).toBe(2);
  expect(await lose('signingSecrets', { subscription_id: id })).toBe(1);
  for (const payment of PAYMENTS) {
    const payment_hash = paymentHash({ service_id: service.serviceId, payment_id: payment });
    expect(await lose('history', { payment_hash }, 'item')).toBe(3);
    expect(await lose('orderingKeys', { ordering_key: `${id}.${payment}` }, 'item')).toBe(4);
  }
  expect((await service.call('GET', `/subscriptions/${id}`)).status).toBe(404);

  // Ordering keys before the history: no queued message without a record.
  expect(await restore('ordering-keys', ...from('orderingKeys'), '--yes')).toMatchObject({
    ok: false,
    unknown: 9,
  });

  expect(await restore('subscriptions', ...from('subscriptions'))).toMatchObject({
    copied: false,
    missing: 2,
  });
  expect((await service.call('GET', `/subscriptions/${id}`)).status).toBe(404);
  expect(await restore('subscriptions', ...from('subscriptions'), '--yes')).toMatchObject({ ok: true });
  expect(await restore('signing-secrets', ...from('signingSecrets'), '--yes')).toMatchObject({ missing: 1 });
  expect(await restore('history', ...from('history'), '--yes')).toMatchObject({ ok: true, missing: 9 });
  expect(await restore('ordering-keys', ...from('orderingKeys'), '--yes')).toMatchObject({
    ok: true,
    missing: 12,
    unknown: 0,
  });
  expect(await restore('ordering-keys', ...from('orderingKeys'), '--yes')).toMatchObject({
    ok: true,
    missing: 0,
  });

  // No timer is armed for these ordering keys: sweep finds them.
  expect((await stack.run('Sweep')).error).toBeUndefined();
  expect(await service.subscription(id)).toMatchObject({ state: 'paused' });
  expect(partner.arrivals()).toEqual([]);
  await service.call('POST', `/subscriptions/${id}/enable`);
  // A new event belongs behind what was restored, and its route must find the subscription.
  await stack.publish(...steps(service, ['pay-new'], 1));
  await service.messages(id, (all) => all.length === 10 && all.every(({ state }) => state === 'succeeded'));
  expect(accepted(partner.arrivals())).toHaveLength(10);
  expect(overtakers(partner.arrivals())).toEqual([]);

  // After a second restore, finished messages are not sent again.
  expect(await restore('ordering-keys', ...from('orderingKeys'), '--yes')).toMatchObject({
    ok: true,
    missing: 0,
  });
  expect((await stack.run('Sweep')).error).toBeUndefined();
  expect(partner.arrivals()).toHaveLength(10);
});

test('while deliver runs, tables that belong together are not copied', async () => {
  const world = { access: async () => localAccess(stack.outputs) };
  await expect(ops(['restore', 'ordering-keys', '--from', 'elsewhere', '--yes'], world)).rejects.toThrow(
    "Stop deliver's event source mapping first",
  );
  await expect(ops(['restore', 'audit', '--from', 'nowhere-to-be-found'], world)).rejects.toThrow(
    '--from: there is no table nowhere-to-be-found',
  );
  await expect(ops(['restore', 'audit', '--from', stack.outputs.tables.audit], world)).rejects.toThrow(
    'is the live table itself',
  );
});
