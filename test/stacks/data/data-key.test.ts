import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { OWN_KEYS } from '../../../lib/app/test-stages.ts';
import { DataKey } from '../../../lib/constructs/data/data-key.ts';
import { STAGES } from '../../../payhooks.config.ts';
import {
  actionsOf,
  propertiesOf,
  type Statement,
  synthesized,
  WITHOUT_KEY,
} from '../../support/templates/synthesized.ts';

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
  expect(usesOfDataKey(pipeline)).toMatchObject({ Statistics: ['kms:Decrypt via dynamodb'] });
  expect(usesOfDataKey(api)).toMatchObject({ Api: BOTH });
  expect(usesOfDataKey(api)).not.toHaveProperty('Authorize');
  for (const template of [pipeline, api]) {
    expect(JSON.stringify(usesOfDataKey(template))).not.toContain('via "nothing');
  }
});

test("a reader of a table's stream may use its key through DynamoDB only", () => {
  const stack = new Stack();
  const { key: encryptionKey } = new DataKey(stack, 'DataKey', {
    settings: STAGES.prod,
    encrypts: 'a table',
  });
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
    UnclaimedQueue: { ownedBySqs: true },
    // Ids, times, and positions in the history's stream.
    OutcomesDeadLetters: { ownedBySqs: true },
    RetryTimersQueue: { ownedBySqs: true },
    RetryTimersDeadLetters: { ownedBySqs: true },
  });
});

/** What each statement of a key's policy gives, and to whom. */
function policyOf(template: Template, key: string) {
  const [{ KeyPolicy }] = Object.entries(template.findResources('AWS::KMS::Key'))
    .filter(([name]) => name.startsWith(key))
    .map(([, { Properties }]) => Properties);
  return (KeyPolicy.Statement as (Statement & { readonly Principal: unknown })[]).map((statement) => ({
    who: JSON.stringify(statement.Principal),
    actions: actionsOf(statement),
    condition: JSON.stringify(statement.Condition ?? {}),
  }));
}
const USING = /kms:(\*|Decrypt|Encrypt|GenerateDataKey|ReEncrypt|CreateGrant)/;

test.each(['DataKey', 'SigningSecretsKey'])(
  'the policy of %s lets nobody in the account use it but through a service, or for a sealed secret',
  (key) => {
    const ofAccount = policyOf(synthesized('prod').data, key).filter(({ who }) => who.includes(':root'));
    const using = ofAccount.filter(({ actions }) => USING.test(actions.join()));
    expect(
      using.map(({ condition }) => /ViaService|EncryptionContext:subscription_id/.exec(condition)?.[0]),
    ).toEqual(key === 'DataKey' ? ['ViaService'] : ['ViaService', 'EncryptionContext:subscription_id']);
    // Nobody is locked out: IAM decides who may change the policy.
    const free = ofAccount.filter(({ condition }) => condition === '{}');
    expect(free.flatMap(({ actions }) => actions)).toContain('kms:PutKeyPolicy');
  },
);

test('a stage may name who administers its keys: those, and the root user of the account', () => {
  const administering = policyOf(synthesized(OWN_KEYS).data, 'DataKey').filter(({ actions }) =>
    actions.includes('kms:PutKeyPolicy'),
  );
  expect(
    administering.map(({ who, condition }) => [/role\/deployer|:root/.exec(who)?.[0], condition !== '{}']),
  ).toEqual([
    ['role/deployer', false],
    [':root', true],
  ]);
});

test('a stage may encrypt its bus, logs and the rules’ dead letters itself, the last with a key that the queue they come from does not use', () => {
  const { ordinary, all } = {
    ordinary: synthesized('prod'),
    all: synthesized(OWN_KEYS),
  };
  const keyOf = (value: unknown) => /DataKey|SpareKey/.exec(JSON.stringify(value ?? ''))?.[0];
  const keysOf = (templates: typeof all) => ({
    bus: propertiesOf(templates.pipeline, 'Events::EventBus').map(({ KmsKeyIdentifier }) =>
      keyOf(KmsKeyIdentifier),
    ),
    deadLetters: Object.entries(templates.pipeline.findResources('AWS::SQS::Queue'))
      .filter(([name]) => name.startsWith('RulesDeadLetters'))
      .map(([, { Properties }]) => keyOf(Properties.KmsMasterKeyId)),
    logs: [
      ...new Set(
        Object.values(templates).flatMap((template) =>
          propertiesOf(template, 'Logs::LogGroup').map(({ KmsKeyId }) => keyOf(KmsKeyId)),
        ),
      ),
    ],
  });
  expect(keysOf(ordinary)).toEqual({ bus: [undefined], deadLetters: [undefined], logs: [undefined] });
  expect(keysOf(all)).toEqual({ bus: ['DataKey'], deadLetters: ['SpareKey'], logs: ['SpareKey'] });
  const [{ DeadLetterConfig }] = propertiesOf(all.pipeline, 'Events::EventBus');
  expect(JSON.stringify(DeadLetterConfig)).toContain('RulesDeadLetters');
  const spare = policyOf(all.data, 'SpareKey').map(({ who }) => who);
  expect(spare.filter((who) => /events\.amazonaws|logs\./.test(who))).toHaveLength(2);
});
