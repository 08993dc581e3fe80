import { Stack } from 'aws-cdk-lib';
import type { Stage } from '../../../lib/app/stage.ts';
import { table } from '../../../lib/constructs/data/table.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, synthesized, WITHOUT_KEY } from '../../support/templates/synthesized.ts';

test('no table of prod can be deleted by mistake', () => {
  const { data } = synthesized('prod');
  const tables = Object.values(data.findResources('AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(9);
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

test('what takes the load is warmed as the stage says, each table with its indexes but those of stuck payments', () => {
  const stage: Stage = {
    ...STAGES.prod,
    warmThroughput: { writesPerSecond: 30_000, readsPerSecond: 12_000 },
  };
  const warm = { WriteUnitsPerSecond: 30_000, ReadUnitsPerSecond: 12_000 };
  const tables = propertiesOf(synthesized(stage).data, 'DynamoDB::Table').filter(
    ({ WarmThroughput }) => WarmThroughput !== undefined,
  );
  const warmed = tables.flatMap(({ WarmThroughput, GlobalSecondaryIndexes }) => [
    WarmThroughput,
    ...GlobalSecondaryIndexes.filter(({ IndexName }: { IndexName: string }) => IndexName !== 'stuck').map(
      (index: { WarmThroughput?: object }) => index.WarmThroughput,
    ),
  ]);
  expect(tables.map(keysIn).sort()).toEqual(['ordering_key item', 'payment item', 'payment_hash item']);
  expect(warmed).toEqual(Array(9).fill(warm));
  const rare = tables.flatMap(({ GlobalSecondaryIndexes }) =>
    GlobalSecondaryIndexes.filter(({ IndexName }: { IndexName: string }) => IndexName === 'stuck'),
  );
  expect(rare.map(({ WarmThroughput }) => WarmThroughput)).toEqual([undefined, undefined]);
  expect(JSON.stringify(synthesized('prod').data.toJSON())).not.toContain('WarmThroughput');
});

const keysIn = ({ KeySchema }: { readonly KeySchema: readonly { readonly AttributeName: string }[] }) =>
  KeySchema.map(({ AttributeName }) => AttributeName).join(' ');

/** The logical name of each table's encryption key, by the table's key attributes. */
function keyOfEachTable(stage: 'prod' | Stage) {
  return Object.fromEntries(
    propertiesOf(synthesized(stage).data, 'DynamoDB::Table').map((table) => [
      keysIn(table),
      table.SSESpecification?.KMSMasterKeyId['Fn::GetAtt'][0].slice(0, -8) ?? 'AWS',
    ]),
  );
}

test('every stage encrypts signing secrets with a separate key', () => {
  expect(keyOfEachTable(WITHOUT_KEY)).toMatchObject({ subscription_id: 'SigningSecretsKey' });
  expect(Object.values(keyOfEachTable(WITHOUT_KEY)).filter((key) => key !== 'AWS')).toEqual([
    'SigningSecretsKey',
  ]);
});

test("prod encrypts tables with bodies and contacts with the stage's key, and secrets with their own", () => {
  expect(keyOfEachTable('prod')).toMatchObject({
    'payment_hash item': 'DataKey',
    'service_id item': 'DataKey',
    'service_id change_id': 'DataKey',
    request: 'DataKey',
    subscription_id: 'SigningSecretsKey',
    'payment item': 'DataKey',
    'ordering_key item': 'AWS',
    token_hash: 'AWS',
  });
});

test("besides the account only EventBridge may use the stage's key, under the one documented condition", () => {
  const keys = Object.entries(synthesized('prod').data.findResources('AWS::KMS::Key'));
  const { Statement } = keys.find(([name]) => name.startsWith('DataKey'))?.[1].Properties.KeyPolicy ?? {};
  const others = Statement.filter(({ Principal }: { Principal: object }) => !('AWS' in Principal));
  expect(others).toHaveLength(1);
  expect(others[0]).toEqual({
    Sid: 'RulesOfThisAccount',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    Resource: '*',
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  });
});

test('dev has a key of its own, so that permission problems show there before prod', () => {
  expect(STAGES.dev.customerManagedKey).toBe(STAGES.prod.customerManagedKey);
});

/** The indexes of the table with these keys. */
function indexesOf(keys: string) {
  const table = propertiesOf(synthesized('dev').data, 'DynamoDB::Table').find((one) => keysIn(one) === keys);
  return table.GlobalSecondaryIndexes as {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: { ProjectionType: string; NonKeyAttributes: string[] };
  }[];
}

function keysOf(keys: string) {
  return Object.fromEntries(indexesOf(keys).map((index) => [index.IndexName, keysIn(index)]));
}

test('payments of which an event waits can be queried by due time, without the event', () => {
  expect(keysOf('payment item')).toEqual({ due: 'due_shard check_at', stuck: 'stuck since' });
  expect(indexesOf('payment item').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['timer', 'due_at'] },
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['service_id', 'payment_id', 'group', 'explanation'] },
  ]);
});

test('the tokens of a service can be listed, and using one never writes that index', () => {
  expect(keysOf('token_hash')).toEqual({ by_service: 'service_id created_at' });
  expect(indexesOf('token_hash').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'KEYS_ONLY' },
  ]);
});

test('sweep finds the timers of circuits, recoveries and aged ordering keys in their indexes; other ordering keys are projected whole', () => {
  expect(indexesOf('service_id item').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['timer', 'subscription_id', 'circuit'] },
  ]);
  expect(indexesOf('ordering_key item').map(({ Projection }) => Projection)).toEqual([
    { ProjectionType: 'ALL' },
    { ProjectionType: 'ALL' },
    { ProjectionType: 'INCLUDE', NonKeyAttributes: ['timer'] },
    { ProjectionType: 'ALL' },
  ]);
});

test('the indexes of the history contain no bodies and no answers of partners', () => {
  expect(keysOf('payment_hash item')).toEqual({
    by_subscription: 'subscription_id admitted_at',
    undelivered: 'undelivered admitted_at',
  });
  for (const { KeySchema, Projection } of indexesOf('payment_hash item')) {
    expect(Projection.ProjectionType).toBe('INCLUDE');
    const carried = Projection.NonKeyAttributes;
    expect(carried).not.toEqual(expect.arrayContaining(['resource']));
    expect(carried).not.toEqual(expect.arrayContaining(['first_attempt']));
    // DynamoDB projects no more, and no attribute that is a key already.
    expect(carried.length).toBeLessThanOrEqual(20);
    expect(carried.filter((name) => KeySchema.some(({ AttributeName }) => AttributeName === name))).toEqual(
      [],
    );
  }
});

describe('the attributes of indexes', () => {
  const keyed = { settings: STAGES.dev, partitionKey: 'id' };
  const names = (count: number, prefix = 'a') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const index = (name: string, attributes: readonly string[]) => ({
    name,
    partitionKey: `${name}_key`,
    sortKey: 'at',
    attributes,
  });

  test("are within DynamoDB's limits on every stage that people deploy", () => {
    for (const stage of ['local', 'dev', 'prod'] as const) {
      for (const { GlobalSecondaryIndexes = [] } of propertiesOf(
        synthesized(stage).data,
        'DynamoDB::Table',
      )) {
        const carried: string[][] = GlobalSecondaryIndexes.map(
          ({ Projection }: { Projection: { NonKeyAttributes?: string[] } }) =>
            Projection.NonKeyAttributes ?? [],
        );
        expect(Math.max(0, ...carried.map(({ length }) => length))).toBeLessThanOrEqual(20);
        expect(carried.flat().length).toBeLessThanOrEqual(100);
      }
    }
  });

  test('are refused at synthesis when there is one too many, not in the middle of a deployment', () => {
    expect(() =>
      table(new Stack(), 'Full', { ...keyed, indexes: [index('by_day', names(20))] }),
    ).not.toThrow();
    expect(() => table(new Stack(), 'History', { ...keyed, indexes: [index('by_day', names(21))] })).toThrow(
      'index by_day of History projects 21 attributes, DynamoDB allows 20',
    );
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => index(name, names(17, name)));
    expect(() => table(new Stack(), 'History', { ...keyed, indexes: six })).toThrow(
      'the indexes of History project 102 attributes in total, DynamoDB allows 100',
    );
  });
});

test('deleted subscriptions, ended tokens, old history, old audit entries and idempotency records expire', () => {
  const going = propertiesOf(synthesized('dev').data, 'DynamoDB::Table')
    .filter(({ TimeToLiveSpecification }) => TimeToLiveSpecification !== undefined)
    .map((table) => [keysIn(table), table.TimeToLiveSpecification]);
  const timeToLive = { AttributeName: 'remove_at_epoch_seconds', Enabled: true };
  for (const keys of [
    'service_id item',
    'token_hash',
    'payment_hash item',
    'request',
    'service_id change_id',
  ]) {
    expect(going).toContainEqual([keys, timeToLive]);
  }
});
