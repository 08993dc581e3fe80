import { synthesized } from '../support/synthesized.ts';

test('in prod no table goes by mistake', () => {
  const { data } = synthesized('prod');
  const tables = Object.values(data.findResources('AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(4);
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

test('signing secrets are encrypted with a key of their own', () => {
  synthesized('dev').data.resourcePropertiesCountIs(
    'AWS::DynamoDB::Table',
    { SSESpecification: { SSEEnabled: true, SSEType: 'KMS' } },
    1,
  );
});

test('the indexes of the history carry no bodies and no answers of partners', () => {
  const { data } = synthesized('dev');
  const indexes = Object.values(data.findResources('AWS::DynamoDB::Table')).flatMap(
    ({ Properties }) => Properties.GlobalSecondaryIndexes ?? [],
  );
  expect(indexes.map(({ IndexName }) => IndexName).sort()).toEqual(['by_payment', 'by_subscription']);
  for (const { Projection } of indexes) {
    expect(Projection.ProjectionType).toBe('INCLUDE');
    expect(Projection.NonKeyAttributes).not.toEqual(expect.arrayContaining(['body']));
    expect(Projection.NonKeyAttributes).not.toEqual(expect.arrayContaining(['first_attempt']));
  }
});
