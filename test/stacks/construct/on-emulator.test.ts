import { Duration } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { HERE, shopWith } from '../../support/templates/own-app.ts';
import { propertiesOf } from '../../support/templates/resources.ts';

/** What the emulator does not know, whatever it is for. */
const LACKING = [
  'AWS::Athena::NamedQuery',
  'AWS::Budgets::Budget',
  'AWS::CodeDeploy::Application',
  'AWS::EC2::NatGateway',
  'AWS::Events::EventBusPolicy',
  'AWS::Logs::QueryDefinition',
  'AWS::ApiGatewayV2::DomainName',
];

test("with the context payhooks:local any app's Payhooks is one for the emulator", () => {
  const { webhooks, template: templateOf } = shopWith(
    (stack) => ({
      bus: EventBus.fromEventBusName(stack, 'Bus', 'orders'),
      encryptionKey: Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:111122223333:key/k'),
      domain: {
        domainName: 'hooks.example.com',
        certificate: Certificate.fromCertificateArn(
          stack,
          'Certificate',
          'arn:aws:acm:eu-west-1:111122223333:certificate/c',
        ),
      },
      fixedAddresses: { natGateways: 2 },
      budget: { monthlyUsd: 10, counts: 'account' },
      rollout: 'canary',
      concurrency: { reserved: true },
      keepsData: true,
      ownKeysEverywhere: true,
      doctorEvery: Duration.hours(1),
      callbackUrls: { liveDomains: ['example.com'] },
    }),
    // As the command line gives it.
    { env: HERE, context: { 'payhooks:local': 'true' } },
  );
  const template = templateOf();
  const types = Object.values(template.toJSON().Resources as Record<string, { Type: string }>).map(
    ({ Type }) => Type,
  );
  expect(types.filter((type) => LACKING.includes(type))).toEqual([]);
  template.hasResourceProperties('AWS::Events::EventBus', { Name: 'orders' });
  template.resourceCountIs('AWS::KMS::Key', 2);
  expect(webhooks.domainTarget).toBeUndefined();
  const [deliver] = propertiesOf(template, 'Lambda::Function', 'WebhooksPipelineDeliver');
  expect(deliver.ReservedConcurrentExecutions).toBeUndefined();
  expect(JSON.parse(deliver.Environment.Variables.CALLBACK_URL_RULES)).toEqual({
    allowLoopback: true,
    allowedPorts: [443],
    liveDomains: ['example.com'],
  });
  expect(JSON.parse(deliver.Environment.Variables.DELIVERY_POLICY).schedules.standard[0]).toBe(1_000);
  for (const { DeletionProtectionEnabled } of propertiesOf(template, 'DynamoDB::Table')) {
    expect(DeletionProtectionEnabled).not.toBe(true);
  }
});
