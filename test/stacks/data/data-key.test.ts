import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { DataKey } from '../../../lib/constructs/data/data-key.ts';
import { STAGES } from '../../../lib/stages.ts';
import { actionsOf, propertiesOf, type Statement } from '../../support/templates/resources.ts';
import { synthesized, WITHOUT_KEY } from '../../support/templates/synthesized.ts';

/** What each role of a stack may do with the stage's key, as `action via service`. */
function usesOfDataKey(template: Template): Record<string, string[]> {
  const uses: Record<string, string[]> = {};
  for (const { Roles, PolicyDocument } of propertiesOf(template, 'IAM::Policy')) {
    const ofKey = (PolicyDocument.Statement as Statement[]).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('DataKey'),
    );
    if (ofKey.length > 0) {
      uses[Roles[0].Ref.replace(/Role[0-9A-F]{8}$/, '')] = ofKey
        .flatMap((statement) => {
          const via = JSON.stringify(statement.Condition?.StringEquals['kms:ViaService'] ?? 'nothing');
          return actionsOf(statement).map(
            (action) => `${action} via ${/dynamodb|sqs/.exec(via)?.[0] ?? via}`,
          );
        })
        .sort();
    }
  }
  return uses;
}

const WRITING = ['Decrypt', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
  (action) => `kms:${action} via dynamodb`,
);
const SENDING = ['kms:Decrypt via sqs', 'kms:GenerateDataKey via sqs'];
const BOTH = [...WRITING, ...SENDING].sort();

test("functions may use the stage's key through DynamoDB and SQS as far as they read, write and send, and nobody directly", () => {
  const { pipeline, api } = synthesized('prod');
  expect(usesOfDataKey(pipeline)).toMatchObject({ Match: BOTH, Deliver: BOTH, Wake: BOTH, Sweep: WRITING });
  expect(usesOfDataKey(pipeline)).toMatchObject({ Tally: ['kms:Decrypt via dynamodb'] });
  expect(usesOfDataKey(api)).toMatchObject({ Api: BOTH });
  expect(usesOfDataKey(api)).not.toHaveProperty('Authorize');
  for (const template of [pipeline, api]) {
    expect(JSON.stringify(usesOfDataKey(template))).not.toContain('via "nothing');
  }
});

test("a reader of a table's stream may use its key through DynamoDB only", () => {
  const stack = new Stack();
  const encryptionKey = new DataKey(stack, 'DataKey', { stage: STAGES.prod, encrypts: 'a table' });
  const table = new Table(stack, 'Table', {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    encryptionKey,
  });
  table.grantStreamRead(
    new Role(stack, 'ReaderRole', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
  );
  expect(usesOfDataKey(Template.fromStack(stack))).toEqual({
    Reader: ['kms:Decrypt via dynamodb', 'kms:DescribeKey via dynamodb'],
  });
});

test('only deliver, the api and the doctor may use the key of the signing secrets', () => {
  const { pipeline, api, doctor } = synthesized('prod');
  const users = [pipeline, api, doctor]
    .flatMap((template) => propertiesOf(template, 'IAM::Policy'))
    .filter(({ PolicyDocument }) => JSON.stringify(PolicyDocument).includes('SigningSecretsKey'))
    .map(({ Roles }) => Roles[0].Ref.replace(/Role[0-9A-F]{8}$/, ''));
  expect(users.sort()).toEqual(['Api', 'Deliver', 'Doctor']);
});

test.each([
  ['with its own key', STAGES.prod],
  ['without one', WITHOUT_KEY],
])('tables and queues with bodies are encrypted as the stage says: %s', (_, stage) => {
  const queues = Object.entries(synthesized(stage).pipeline.findResources('AWS::SQS::Queue'));
  const how = Object.fromEntries(
    queues.map(([name, { Properties }]) => [
      name.slice(0, -8),
      Properties.KmsMasterKeyId === undefined
        ? { ownedBySqs: Properties.SqsManagedSseEnabled }
        : {
            key: /DataKey/.exec(JSON.stringify(Properties.KmsMasterKeyId))?.[0],
            reuse: Properties.KmsDataKeyReusePeriodSeconds,
          },
    ]),
  );
  const withBodies = stage.customerManagedKey ? { key: 'DataKey', reuse: 3_600 } : { ownedBySqs: true };
  expect(how).toEqual({
    EventsQueue: withBodies,
    EventsDeadLetters: withBodies,
    DeliveriesQueue: withBodies,
    DeliveriesDeadLetters: withBodies,
    // Whatever blocks the events queue must not block this one.
    RulesDeadLetters: { ownedBySqs: true },
    // Ids, times, and positions in the history's stream.
    OutcomesDeadLetters: { ownedBySqs: true },
    RetryTimersQueue: { ownedBySqs: true },
    RetryTimersDeadLetters: { ownedBySqs: true },
  });
});
