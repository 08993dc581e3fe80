import type { Template } from 'aws-cdk-lib/assertions';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { nagged, propertiesOf, statementsOf, synthesized } from '../../support/templates/synthesized.ts';

const ROLE = 'arn:aws:iam::444455556666:role/payments';

const roleOf = (pipeline: Template) => propertiesOf(pipeline, 'IAM::Role', 'PublisherRole')[0];

test.each(['dev', 'prod'] as const)(
  'nobody sends straight into the queue of %s unless the stage says who',
  (name) => {
    expect(roleOf(synthesized(name).pipeline)).toBeUndefined();
  },
);

test('the publishers that a stage names, of any account, may send to events.fifo and do nothing else', () => {
  const stage: Stage = { ...STAGES.prod, queuePublishers: [ROLE] };
  const template = synthesized(stage).pipeline;

  expect(roleOf(template).AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { AWS: ROLE } },
  ]);
  expect(statementsOf(template, 'PublisherRole')).toMatchObject([
    {
      Action: 'sqs:SendMessage',
      Effect: 'Allow',
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^EventsQueue/), 'Arn'] },
    },
    { Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Effect: 'Allow' },
  ]);
  expect(template.findOutputs('PublisherRoleArn')).not.toEqual({});
  expect(() => nagged(stage)).not.toThrow();
});

test('on the local stage everybody may', () => {
  expect(roleOf(synthesized('local').pipeline).AssumeRolePolicyDocument.Statement).toMatchObject([
    { Action: 'sts:AssumeRole', Principal: { AWS: expect.anything() } },
  ]);
});
