import { Match, Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import { rolledOut } from '../../../lib/app/stage-options.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, statementsOf, synthesized, testApp } from '../../support/templates/synthesized.ts';

const STACKS = ['pipeline', 'api'] as const;
const STAGE_NAMES = ['local', 'dev', 'prod'] as const;
const prod = synthesized('prod');

/** They serve only the people who run the stage, and switch at once. */
const AT_ONCE = ['Doctor', 'SyntheticReceiver'];
/**
 * Functions without a canary that people or API Gateway invoke, by name; on the local stage, without a schedule,
 * the doctor too.
 */
const WITHOUT_ALIAS = {
  local: /^((OnCall|Analyst)Link|Doctor|Feed|StageApi)/,
  others: /^((OnCall|Analyst)Link|Feed|StageApi)/,
};

const resources = (template: Template, type: string) => template.findResources(type);

describe.each(STAGE_NAMES)('invokers in %s', (name) => {
  const stacks = synthesized(name);

  test.each(STACKS)('invoke the alias live of each function in the stack %s', (part) => {
    const functions = Object.keys(resources(stacks[part], 'AWS::Lambda::Function')).filter(
      (id) => !(name === 'local' ? WITHOUT_ALIAS.local : WITHOUT_ALIAS.others).test(id),
    );
    const aliases = Object.values(resources(stacks[part], 'AWS::Lambda::Alias'));
    expect(aliases.map(({ Properties }) => Properties.FunctionName.Ref).sort()).toEqual(functions.sort());
    expect(aliases.every(({ Properties }) => Properties.Name === 'live')).toBe(true);

    const runs = [
      ...propertiesOf(stacks[part], 'Lambda::EventSourceMapping').map(({ FunctionName }) => FunctionName),
      ...propertiesOf(stacks[part], 'Scheduler::Schedule').map(({ Target }) => Target.Arn),
      ...propertiesOf(stacks[part], 'ApiGatewayV2::Integration').map(({ IntegrationUri }) => IntegrationUri),
      ...propertiesOf(stacks[part], 'ApiGatewayV2::Authorizer').map(({ AuthorizerUri }) => AuthorizerUri),
      ...propertiesOf(stacks[part], 'Lambda::Permission').map(({ FunctionName }) => FunctionName),
    ].map((target) => JSON.stringify(target));
    expect(runs.length).toBeGreaterThanOrEqual(functions.length);
    for (const target of runs.filter((one) => !/"(Feed|StageApi)[0-9A-F]{8}"/.test(one))) {
      // The alias itself, or a name derived from it.
      expect(target).toMatch(/\{"Ref":"\w+Live[0-9A-F]{8}"\}/);
    }
  });
});

describe.each([
  ['pipeline', ['Deliver', 'Match', 'Statistics', 'Sweep', 'Wake']],
  ['api', ['Api', 'Authorize', 'DocsPage']],
] as const)('a canary of %s', (part, names) => {
  const template = prod[part];
  const groups = resources(template, 'AWS::CodeDeploy::DeploymentGroup');
  const aliases = Object.values(resources(template, 'AWS::Lambda::Alias'));
  const alarms = resources(template, 'AWS::CloudWatch::Alarm');

  test('has a deployment group per function, and shifts a tenth of the work for ten minutes', () => {
    template.resourceCountIs('AWS::CodeDeploy::Application', 1);
    const updated = aliases.map(({ Properties, UpdatePolicy }) => [
      Properties.FunctionName.Ref.slice(0, -8),
      groups[UpdatePolicy?.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref]?.Properties
        .DeploymentConfigName,
    ]);
    expect(updated.filter(([name]) => !AT_ONCE.includes(name)).sort()).toEqual(
      names.map((name) => [name, 'CodeDeployDefault.LambdaCanary10Percent10Minutes']),
    );
    expect(updated.filter(([name]) => AT_ONCE.includes(name)).sort()).toEqual(
      part === 'api' ? AT_ONCE.map((name) => [name, undefined]) : [],
    );
  });

  test('rolls back when it fails, is stopped, or an alarm goes off', () => {
    for (const { Properties } of Object.values(groups)) {
      expect(Properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
    }
  });

  test('refers to no alarm of a later stack, and to no more than CodeDeploy takes', () => {
    for (const { Properties } of Object.values(groups)) {
      const named = Properties.AlarmConfiguration.Alarms.map(
        ({ Name }: { Name: { Ref: string } }) => Name.Ref,
      );
      expect(named.length).toBeGreaterThan(1);
      expect(named.length).toBeLessThanOrEqual(10);
      expect(named.filter((one: string) => alarms[one] === undefined)).toEqual([]);
      expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true });
      expect(Properties.AlarmConfiguration.IgnorePollAlarmFailure).not.toBe(true);
    }
  });

  test('counts errors of the new version only, with an alarm named after it', () => {
    const ofVersions = Object.values(alarms).filter(({ Properties }) => Properties.MetricName === 'Errors');
    const versions = Object.keys(resources(template, 'AWS::Lambda::Version')).filter(
      (id) => !AT_ONCE.some((name) => id.startsWith(name)),
    );
    const watched = ofVersions.map(({ Properties }) => {
      const dimension = Properties.Dimensions.find(
        ({ Name }: { Name: string }) => Name === 'ExecutedVersion',
      );
      expect(JSON.stringify(Properties.AlarmName)).toContain(JSON.stringify(dimension.Value));
      return dimension.Value['Fn::GetAtt'][0];
    });
    expect(watched.sort()).toEqual(versions.sort());
  });

  test('evaluates every minute, and treats missing data as healthy', () => {
    for (const { Properties } of Object.values(alarms)) {
      const periods = (Properties.Metrics ?? [{ MetricStat: { Period: Properties.Period } }]).flatMap(
        ({ MetricStat }: { MetricStat?: { Period: number } }) => MetricStat?.Period ?? [],
      );
      expect(new Set(periods)).toEqual(new Set([60]));
      expect(Properties).toMatchObject({
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    }
  });

  test('retains the previous version, which a rollback needs', () => {
    for (const { DeletionPolicy } of Object.values(resources(template, 'AWS::Lambda::Version'))) {
      expect(DeletionPolicy).toBe('Retain');
    }
  });

  test('may move the aliases of these functions, read alarms, and nothing else', () => {
    const statements = statementsOf(template, 'RolloutRole');
    expect(statements.map(({ Action }) => Action)).toEqual([
      ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
      'cloudwatch:DescribeAlarms',
    ]);
    expect(statements[0]?.Resource).toHaveLength(2 * names.length);
    expect(JSON.stringify(statements[0]?.Resource)).not.toContain('*');
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'codedeploy.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': Match.anyValue() } },
          }),
        ],
      },
      ManagedPolicyArns: Match.absent(),
    });
  });
});

test('a canary of the pipeline counts internal errors and dead-lettered records of all its functions', () => {
  const filters = propertiesOf(prod.pipeline, 'Logs::MetricFilter');
  expect(filters.map(({ LogGroupName }) => LogGroupName.Ref.slice(0, -8)).sort()).toEqual([
    'DeliverLogs',
    'MatchLogs',
    'StatisticsLogs',
    'SweepLogs',
    'WakeLogs',
  ]);
  for (const { FilterPattern, MetricTransformations } of filters) {
    expect(FilterPattern).toBe('{ ($.level = "ERROR") || ($.message = "*.dead_lettered") }');
    expect(MetricTransformations).toEqual([
      { MetricNamespace: 'Payhooks', MetricName: 'InternalErrorLogged', MetricValue: '1' },
    ]);
  }
});

describe('without a canary', () => {
  test.each(['local', 'dev'] as const)('%s rolls out at once', (name) => {
    expectNoCanary(synthesized(name));
  });

  test('prod rolls out at once when the deployment says so', () => {
    const stacks = addPayhooks(testApp(), rolledOut(STAGES.prod, 'at once'));
    const { pipeline, api } = stacks;
    expectNoCanary({ pipeline: Template.fromStack(pipeline), api: Template.fromStack(api) });
  });

  test('another rollout is refused', () => {
    expect(rolledOut(STAGES.prod, undefined)).toBe(STAGES.prod);
    expect(() => rolledOut(STAGES.prod, 'slowly')).toThrow(
      "unknown rollout \"slowly\": use -c rollout='at once' or -c rollout=canary, or omit it for the stage's own (payhooks.config.ts)",
    );
  });
});

function expectNoCanary(stacks: Record<(typeof STACKS)[number], Template>): void {
  for (const part of STACKS) {
    stacks[part].resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    for (const { UpdatePolicy } of Object.values(resources(stacks[part], 'AWS::Lambda::Alias'))) {
      expect(UpdatePolicy).toBeUndefined();
    }
  }
}
