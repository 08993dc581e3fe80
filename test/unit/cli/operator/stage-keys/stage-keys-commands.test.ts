import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { inMemoryOperators } from '../../../../../cli/operator/audit/audit-command.ts';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { inMemorySealing } from '../../../../../functions/adapters/kms/sealing.ts';
import { ops } from '../../../../support/operator-run.ts';
import { cancelled } from '../../../adapters/dynamodb/pages.ts';

const KEY = { kid: 'one', x: 'x', y: 'y', created_at: '2026-11-01T00:00:00.000Z' };
const NOON = Date.parse('2026-11-14T12:00:00.000Z');

/** A stage with these keys, and what is written to it. */
function stage(keys?: readonly object[], isContested = false) {
  const writes: NonNullable<TransactWriteItemsCommand['input']['TransactItems']> = [];
  const operators = inMemoryOperators();
  const dynamodb = {
    async send(command: object) {
      if (!(command instanceof TransactWriteItemsCommand)) {
        return keys === undefined ? {} : { Item: marshall({ version: 4, keys }) };
      }
      if (isContested) {
        throw cancelled('ConditionalCheckFailed', 'None');
      }
      writes.push(...(command.input.TransactItems ?? []));
      return {};
    },
  };
  const access = {
    dynamodb: dynamodb as unknown as DynamoDBClient,
    tables: async () => ({ subscriptions: 'subscriptions', signingSecrets: 'secrets' }),
    seal: async () => inMemorySealing().seal,
    operators: async () => operators,
  } as unknown as StageAccess;
  return {
    writes,
    operators,
    run: (...args: string[]) => ops(['stage-keys', ...args], { access: async () => access, now: () => NOON }),
  };
}

test('a stage without a key says so, and what a rotation would do', async () => {
  const { run, writes, operators } = stage();
  expect((await run('list')).printed).toContain('The stage has no key yet: stage-keys rotate makes one.');
  expect((await run('rotate')).printed).toBe(
    'It would make the first key of the stage, which signs at once.\nNothing was changed. --yes does it.\n',
  );
  expect([writes, operators.entries]).toEqual([[], []]);
});

test('a rotation writes both halves together, on condition that nobody was faster, and is on record', async () => {
  const { run, writes, operators } = stage([KEY]);
  const { printed } = await run('rotate', '--yes');

  expect(printed).toMatch(/one +2026-11-01T00:00:00.000Z +2026-11-15T12:00:00.000Z/);
  expect(writes).toMatchObject([
    {
      Update: {
        TableName: 'subscriptions',
        Key: { service_id: { S: '#keys' }, item: { S: '#keys' } },
        ConditionExpression: '#version = :current',
        ExpressionAttributeValues: { ':current': { N: '4' }, ':next': { N: '5' } },
      },
    },
    { Update: { TableName: 'secrets', Key: { subscription_id: { S: '#keys' } } } },
  ]);
  expect(JSON.stringify(writes[0])).not.toContain('private_key');
  const { kid } = operators.entries[0]!.outcome as { readonly kid: string };
  expect(printed).toContain(kid);
  expect(operators.entries).toMatchObject([
    { command: 'stage-keys rotate', arguments: { overlap_hours: 24 } },
  ]);
});

test('the first key makes the item of the private halves', async () => {
  const { run, writes } = stage();
  await run('rotate', '--yes');
  expect(writes).toMatchObject([
    { Update: { ConditionExpression: 'attribute_not_exists(#version)' } },
    { Put: { TableName: 'secrets', ConditionExpression: 'attribute_not_exists(#key)' } },
  ]);
});

test('of two who rotate at once, one is told that he was too late', async () => {
  const { run } = stage([KEY], true);
  await expect(run('rotate', '--yes')).rejects.toThrow('Somebody else has just rotated the keys');
});

test('an overlap that receivers could not follow is refused, and so is a fifth key', async () => {
  await expect(stage([KEY]).run('rotate', '--overlap-hours', '1', '--yes')).rejects.toThrow(
    '--overlap-hours must be 0, or 2 to 168',
  );
  const four = ['a', 'b', 'c', 'd'].map((kid) => ({ ...KEY, kid }));
  await expect(stage(four).run('rotate', '--yes')).rejects.toThrow('4 keys have not expired');
  expect((await stage(four).run('rotate', '--overlap-hours', '0', '--yes')).isWell).toBe(true);
});
