import type { Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { AccountPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  actionsOf,
  HERE,
  propertiesOf,
  shopWith,
  statementsOf,
} from '../../support/templates/synthesized.ts';

const roleIn = (stack: Stack, id: string) =>
  new Role(stack, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
const orders = 'arn:aws:iam::444455556666:role/orders';

const { stack, webhooks, template: templateOf } = shopWith({ name: 'orders' }, { env: HERE });
webhooks.grantPublish(roleIn(stack, 'Publisher'));
webhooks.grantPublish(Role.fromRoleArn(stack, 'Orders', orders));
webhooks.grantPublish(Role.fromRoleArn(stack, 'OrdersAgain', orders));
webhooks.grantPublish(new AccountPrincipal('777788889999'));
webhooks.grantRead(roleIn(stack, 'Analyst'));
const template = templateOf();

test('a publisher may put payment events on the bus, and nothing else', () => {
  expect(statementsOf(template, 'Publisher')).toEqual([
    {
      Effect: 'Allow',
      Action: 'events:PutEvents',
      Resource: { 'Fn::GetAtt': ['WebhooksPipelineBus973C22EB', 'Arn'] },
      Condition: { 'ForAllValues:StringEquals': { 'events:source': 'payments' } },
    },
  ]);
});

test('for a publisher of another account the bus itself allows it, once', () => {
  const policies = propertiesOf(template, 'Events::EventBusPolicy');
  expect(policies.map(({ Statement }) => Statement.Principal)).toEqual([
    { AWS: orders },
    { AWS: 'arn:aws:iam::777788889999:root' },
  ]);
  for (const { StatementId, EventBusName, Statement } of policies) {
    expect(StatementId).toMatch(/^payhooks-orders-publisher-[0-9a-f]{8}$/);
    expect(EventBusName).toEqual({ Ref: 'WebhooksPipelineBus973C22EB' });
    expect(Statement).toMatchObject({
      Action: 'events:PutEvents',
      Condition: { 'ForAllValues:StringEquals': { 'events:source': 'payments' } },
    });
  }
});

test('a role that may be in another account is not changed: the deployment would not find it', () => {
  const { stack, webhooks, template } = shopWith();
  webhooks.grantPublish(Role.fromRoleArn(stack, 'Orders', orders));
  expect(propertiesOf(template(), 'IAM::Policy', 'Orders')).toEqual([]);
  expect(propertiesOf(template(), 'Events::EventBusPolicy')).toMatchObject([
    { Statement: { Principal: { AWS: orders } } },
  ]);
});

test('a reader sees what analysts see: neither bodies nor secrets, and changes nothing', () => {
  const granted = statementsOf(template, 'Analyst');
  const allowed = granted.filter(({ Effect }) => Effect === 'Allow');
  expect(new Set(allowed.flatMap(actionsOf))).toEqual(
    new Set([
      'dynamodb:DescribeTable',
      'dynamodb:GetItem',
      'dynamodb:PartiQLSelect',
      'dynamodb:Query',
      'dynamodb:Scan',
      'kms:Decrypt',
    ]),
  );
  expect(JSON.stringify(granted)).not.toMatch(/SigningSecrets|ApiTokens|Idempotency|Audit/);
  // The table of bodies itself: by named attributes only.
  const ofBodies = allowed.filter(
    ({ Resource, ...one }) =>
      JSON.stringify(Resource).includes('"WebhooksDataHistory') &&
      !JSON.stringify(Resource).includes('/index/') &&
      actionsOf(one).includes('dynamodb:Query'),
  );
  expect(ofBodies.length).toBeGreaterThan(0);
  for (const { Condition } of ofBodies) {
    expect(Condition.StringEquals).toEqual({ 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' });
    expect(Condition['ForAllValues:StringEquals']['dynamodb:Attributes']).not.toContain('body');
  }
});

test('metrics of webhooks are those of this deployment', () => {
  expect(stack.resolve(webhooks.metricTimeToSend().toMetricConfig().metricStat)).toMatchObject({
    namespace: 'Payhooks/orders',
    metricName: 'TimeToSend',
    dimensions: [{ name: 'service', value: 'deliver' }],
    statistic: 'Average',
  });
  expect(webhooks.metricExhausted({ statistic: 'Maximum' }).toMetricConfig().metricStat).toMatchObject({
    metricName: 'Message.exhausted',
    statistic: 'Maximum',
  });
});

test('what others refer to is on the construct', () => {
  expect(webhooks.name).toBe('orders');
  expect(stack.resolve(webhooks.bus.eventBusName)).toEqual({ Ref: 'WebhooksPipelineBus973C22EB' });
  expect(JSON.stringify(stack.resolve(webhooks.apiUrl))).toMatch(/execute-api.*"\/"/);
  expect(stack.resolve(webhooks.dashboard.dashboardName)).toEqual({
    Ref: 'WebhooksObservabilityDashboard949A39A6',
  });
  expect(stack.resolve(webhooks.alarmTopics.urgent.topicArn)).toEqual({
    Ref: 'WebhooksObservabilityUrgentAlarms33058EC7',
  });
  template.hasResourceProperties('AWS::CloudWatch::Dashboard', {
    DashboardName: Match.exact('payhooks-orders'),
  });
});
