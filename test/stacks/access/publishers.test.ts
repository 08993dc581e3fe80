import { type App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../../../lib/payhooks.ts';
import { STAGES } from '../../../lib/stages.ts';
import { synthesized, testApp } from '../../support/templates/synthesized.ts';

const ROLE = 'arn:aws:iam::444455556666:role/payments';

function publisherOf(pipeline: Template) {
  const [id, role] =
    Object.entries(pipeline.findResources('AWS::IAM::Role')).find(([name]) =>
      name.startsWith('PublisherRole'),
    ) ?? [];
  const policies = Object.values(pipeline.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles[0].Ref === id);
  return { role, statements: policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) };
}

test.each(['dev', 'prod'] as const)(
  'nobody sends straight into the queue of %s unless the stage says who',
  (name) => {
    expect(publisherOf(synthesized(name).pipeline).role).toBeUndefined();
  },
);

test('the publishers that a stage names, of any account, may send to events.fifo and do nothing else', () => {
  const app: App = testApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  const { pipeline } = addPayhooks(app, { ...STAGES.prod, queuePublishers: [ROLE] });
  const template = Template.fromStack(pipeline);
  const { role, statements } = publisherOf(template);

  expect(role?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { AWS: ROLE } },
  ]);
  expect(statements).toMatchObject([
    {
      Action: 'sqs:SendMessage',
      Effect: 'Allow',
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^EventsQueue/), 'Arn'] },
    },
    { Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Effect: 'Allow' },
  ]);
  expect(template.findOutputs('PublisherRoleArn')).not.toEqual({});
  expect(() => app.synth()).not.toThrow();
});

test('on the local stage everybody may', () => {
  expect(
    publisherOf(synthesized('local').pipeline).role?.Properties.AssumeRolePolicyDocument.Statement,
  ).toMatchObject([{ Action: 'sts:AssumeRole', Principal: { AWS: expect.anything() } }]);
});
