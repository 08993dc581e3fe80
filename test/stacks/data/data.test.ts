import { Stack } from 'aws-cdk-lib';
import { table } from '../../../lib/constructs/data/table.ts';
import { STAGES, type Stage } from '../../../lib/stages.ts';
import { synthesized, WITHOUT_KEY } from '../../support/templates/synthesized.ts';

test('in prod no table goes by mistake', () => {
  const { data } = synthesized('prod');
  const tables = Object.values(data.findResources('AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(8);
  for (const table of tables) {
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
      },
    });
  }
  data.hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'Retain',
    Properties: { EnableKeyRotation: true },
  });
});

/** By the fields of a table's keys, the logical name of the key that encrypts it. */
function keyOfEachTable(stage: 'prod' | Stage) {
  return Object.fromEntries(
    Object.values(synthesized(stage).data.findResources('AWS::DynamoDB::Table')).map(({ Properties }) => [
      Properties.KeySchema.map(({ AttributeName }: { AttributeName: string }) => AttributeName).join(' '),
      Properties.SSESpecification?.KMSMasterKeyId['Fn::GetAtt'][0].slice(0, -8) ?? 'AWS',
    ]),
  );
}

test('signing secrets are encrypted with a key of their own on every stage', () => {
  expect(keyOfEachTable(WITHOUT_KEY)).toMatchObject({ subscription_id: 'SigningSecretsKey' });
  expect(Object.values(keyOfEachTable(WITHOUT_KEY)).filter((key) => key !== 'AWS')).toEqual([
    'SigningSecretsKey',
  ]);
});

test('in prod the tables with bodies and contacts are encrypted with the key of the stage, and secrets still with their own', () => {
  expect(keyOfEachTable('prod')).toMatchObject({
    'message_id item': 'DataKey',
    'service_id item': 'DataKey',
    'service_id place': 'DataKey',
    wish: 'DataKey',
    subscription_id: 'SigningSecretsKey',
    'ordering_key item': 'AWS',
    token_hash: 'AWS',
  });
});

test('besides the account only EventBridge may use the key of the stage, on the one condition that is known to be met', () => {
  const keys = Object.entries(synthesized('prod').data.findResources('AWS::KMS::Key'));
  const { Statement } = keys.find(([name]) => name.startsWith('DataKey'))?.[1].Properties.KeyPolicy ?? {};
  expect(Statement).toHaveLength(2);
  expect(Statement[1]).toEqual({
    Sid: 'RulesOfThisAccount',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    Resource: '*',
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  });
});

test('what a key of the stage changes shows on dev before it shows on prod', () => {
  expect(STAGES.dev.customerManagedKey).toBe(STAGES.prod.customerManagedKey);
});

/** The indexes of a table, by the name of its partition and sort key. */
function indexesOf(partitionKey: string, sortKey?: string) {
  const table = Object.values(synthesized('dev').data.findResources('AWS::DynamoDB::Table')).find(
    ({ Properties: { KeySchema } }) =>
      KeySchema[0].AttributeName === partitionKey && KeySchema[1]?.AttributeName === sortKey,
  );
  return table?.Properties.GlobalSecondaryIndexes as {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: { ProjectionType: string; NonKeyAttributes: string[] };
  }[];
}

function keysOf(partitionKey: string, sortKey?: string) {
  return Object.fromEntries(
    indexesOf(partitionKey, sortKey).map(({ IndexName, KeySchema }) => [
      IndexName,
      KeySchema.map(({ AttributeName }) => AttributeName),
    ]),
  );
}

test('the history can be asked by subscription, by payment, for what ended without success, and for what waits', () => {
  expect(keysOf('message_id', 'item')).toEqual({
    by_subscription: ['subscription_id', 'admitted_at'],
    by_payment: ['payment_id', 'admitted_at'],
    unsuccessful: ['unsuccessful_on', 'ended_at'],
    waiting: ['waiting_for', 'admitted_at'],
  });
});

test('paused keys can be asked by line, by since when they wait for an operator, and keys and circuits by when they have to be looked at', () => {
  expect(keysOf('ordering_key', 'item')).toEqual({
    line: ['line', 'parked_at'],
    due: ['due_shard', 'check_at'],
    aging: ['aging_shard', 'age_check_at'],
    faulted: ['faulted', 'since'],
  });
  expect(keysOf('service_id', 'item')).toEqual({ due: ['due_shard', 'check_at'] });
});

test('the tokens of a service can be asked for, and the index that tells them is not written when they are used', () => {
  expect(keysOf('token_hash')).toEqual({ by_service: ['service_id', 'created_at'] });
  expect(indexesOf('token_hash').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'KEYS_ONLY' },
  ]);
});

test('what sweep reads of a circuit, a recovery or an aged key is all that it needs, and any other key is read whole', () => {
  expect(indexesOf('service_id', 'item').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['subscription_id', 'circuit', 'recovery_id', 'step'] },
  ]);
  expect(indexesOf('ordering_key', 'item').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'ALL' },
    { ProjectionType: 'ALL' },
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['service_id', 'subscription_id', 'payment_id'] },
    { ProjectionType: 'ALL' },
  ]);
});

test('the indexes of the history carry no bodies and no answers of partners', () => {
  const [counted, ...read] = indexesOf('message_id', 'item').reverse();
  expect(counted).toMatchObject({ IndexName: 'waiting', Projection: { ProjectionType: 'KEYS_ONLY' } });
  for (const { KeySchema, Projection } of read) {
    expect(Projection.ProjectionType).toBe('INCLUDE');
    const carried = Projection.NonKeyAttributes;
    expect(carried).not.toEqual(expect.arrayContaining(['body']));
    expect(carried).not.toEqual(expect.arrayContaining(['first_attempt']));
    // DynamoDB takes no more, and none that is a key already.
    expect(carried.length).toBeLessThanOrEqual(20);
    expect(carried.filter((name) => KeySchema.some(({ AttributeName }) => AttributeName === name))).toEqual(
      [],
    );
  }
});

describe('what indexes carry', () => {
  const keyed = { stage: STAGES.dev, partitionKey: 'id' };
  const names = (count: number, prefix = 'a') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const index = (name: string, attributes: readonly string[]) => ({
    name,
    partitionKey: `${name}_key`,
    sortKey: 'at',
    attributes,
  });

  test('is within what DynamoDB allows, on every stage that people deploy', () => {
    for (const stage of ['local', 'dev', 'prod'] as const) {
      for (const { Properties } of Object.values(
        synthesized(stage).data.findResources('AWS::DynamoDB::Table'),
      )) {
        const carried: string[][] = (Properties.GlobalSecondaryIndexes ?? []).map(
          ({ Projection }: { Projection: { NonKeyAttributes?: string[] } }) =>
            Projection.NonKeyAttributes ?? [],
        );
        expect(Math.max(0, ...carried.map(({ length }) => length))).toBeLessThanOrEqual(20);
        expect(carried.flat().length).toBeLessThanOrEqual(100);
      }
    }
  });

  test('is refused here when it is one too many, before CloudFormation refuses it half-way', () => {
    expect(() =>
      table(new Stack(), 'Full', { ...keyed, indexes: [index('by_day', names(20))] }),
    ).not.toThrow();
    expect(() => table(new Stack(), 'History', { ...keyed, indexes: [index('by_day', names(21))] })).toThrow(
      'the index by_day of History carries 21 attributes: DynamoDB allows 20',
    );
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => index(name, names(17, name)));
    expect(() => table(new Stack(), 'History', { ...keyed, indexes: six })).toThrow(
      'the indexes of History carry 102 attributes together: DynamoDB allows 100',
    );
  });
});

test('what is left of a deleted subscription or an ended token, what is old in the history or the audit trail, and remembered answers go by themselves', () => {
  const going = Object.values(synthesized('dev').data.findResources('AWS::DynamoDB::Table'))
    .filter(({ Properties }) => Properties.TimeToLiveSpecification !== undefined)
    .map(({ Properties: { KeySchema, TimeToLiveSpecification } }) => [
      KeySchema.map(({ AttributeName }: { AttributeName: string }) => AttributeName).join(' '),
      TimeToLiveSpecification,
    ]);
  const timeToLive = { AttributeName: 'remove_at_epoch_seconds', Enabled: true };
  for (const keys of ['service_id item', 'token_hash', 'message_id item', 'wish', 'service_id place']) {
    expect(going).toContainEqual([keys, timeToLive]);
  }
});
