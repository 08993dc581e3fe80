import { Match } from 'aws-cdk-lib/assertions';
import type { Stage } from '../../../lib/stage.ts';
import { STAGES } from '../../../lib/stages.ts';
import { actionsOf, nagged, statementsOf } from '../../support/templates/resources.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const ON_INSTANCES: Stage = {
  ...STAGES.prod,
  fixedAddresses: { natGateways: 2 },
  compute: 'managed-instances',
};
const { pipeline, observability } = synthesized(ON_INSTANCES);

const found = (type: string, begins = '') =>
  Object.entries(pipeline.findResources(type)).filter(([id]) => id.startsWith(begins));
const [match, deliver, ...others] = ['Match', 'Deliver', 'Wake', 'Sweep', 'Tally'].map(
  (name) => found('AWS::Lambda::Function', name)[0]!,
);
const [[providerId, provider]] = found('AWS::Lambda::CapacityProvider') as [ReturnType<typeof found>[number]];
const TWO = [
  ['match', match!],
  ['deliver', deliver!],
] as const;

test.each(['local', 'dev', 'prod'] as const)('%s runs on Lambda', (name) => {
  const stacks = synthesized(name);
  stacks.pipeline.resourceCountIs('AWS::Lambda::CapacityProvider', 0);
  for (const stack of Object.values(stacks)) {
    expect(JSON.stringify(stack)).not.toMatch(/CapacityProvider|ExecutionEnvironments|NODEJS_WORKER_COUNT/);
  }
});

test('instances without a network are refused', () => {
  expect(() => synthesized({ ...STAGES.dev, compute: 'managed-instances' })).toThrow(
    'dev: managed instances need a network of the stage to reach partners and AWS. Set fixedAddresses',
  );
});

describe('a stage on managed instances', () => {
  test.each([
    ['of the credentials', ON_INSTANCES],
    ['of its own', { ...ON_INSTANCES, env: { account: '111122223333', region: 'eu-west-1' } }],
  ])('passes cdk-nag with an account and a region %s', (_, stage) => {
    expect(() => nagged(stage)).not.toThrow();
  });

  test.each(TWO)('runs %s on them, with a vCPU, 2 GiB and one thread', (_, [, { Properties }]) => {
    expect(Properties).toMatchObject({
      MemorySize: 2_048,
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON' },
      PublishToLatestPublished: false,
      CapacityProviderConfig: {
        LambdaManagedInstancesCapacityProviderConfig: {
          CapacityProviderArn: { 'Fn::GetAtt': [providerId, 'Arn'] },
          ExecutionEnvironmentMemoryGiBPerVCpu: 2,
          PerExecutionEnvironmentMaxConcurrency: 32,
        },
      },
    });
    expect(Properties.Environment.Variables.AWS_LAMBDA_NODEJS_WORKER_COUNT).toBe('1');
  });

  test.each(TWO)('gives %s no VPC and no reserved concurrency of its own', (_, [, { Properties }]) => {
    expect(Properties).not.toHaveProperty('VpcConfig');
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  test('runs all others on Lambda, with reserved concurrency', () => {
    for (const [, { Properties }] of others) {
      expect(Properties).not.toHaveProperty('CapacityProviderConfig');
      expect(Properties.ReservedConcurrentExecutions).toBeGreaterThan(0);
    }
  });

  test('runs published versions and deletes old ones, whose environments would cost money', () => {
    const scaling = { match: [3, 5], deliver: [3, 32] };
    for (const [name, [id]] of TWO) {
      const [min, max] = scaling[name];
      const versions = Object.values(
        pipeline.findResources('AWS::Lambda::Version', { Properties: { FunctionName: { Ref: id } } }),
      );
      expect(versions).toMatchObject([
        {
          DeletionPolicy: 'Delete',
          Properties: {
            FunctionScalingConfig: { MinExecutionEnvironments: min, MaxExecutionEnvironments: max },
          },
        },
      ]);
      pipeline.hasResourceProperties('AWS::Lambda::Alias', { Name: 'live', FunctionName: { Ref: id } });
      const [mapping] = found(
        'AWS::Lambda::EventSourceMapping',
        id.replace(/OnInstances.*$/, 'OnInstancesLive'),
      );
      expect(mapping?.[1].Properties.ScalingConfig).toEqual({
        MaximumConcurrency: STAGES.prod.concurrency[name],
      });
    }
  });

  test('is a different function than on Lambda: a function cannot leave its instances', () => {
    const before = Object.keys(synthesized('prod').pipeline.findResources('AWS::Lambda::Function'));
    for (const [, [id]] of TWO) {
      expect(before).not.toContain(id);
    }
  });

  test('runs instances in the private subnets, with the security group that allows no inbound traffic', () => {
    expect(provider.Properties).toMatchObject({
      InstanceRequirements: { Architectures: ['arm64'] },
      CapacityProviderScalingConfig: { MaxVCpuCount: 2 * (5 + 32) + 8 },
      VpcConfig: {
        SubnetIds: found('AWS::EC2::Subnet', 'FixedAddressesVpcDeliver').map(([id]) => ({ Ref: id })),
        SecurityGroupIds: [
          { 'Fn::GetAtt': [found('AWS::EC2::SecurityGroup', 'FixedAddresses')[0]![0], 'GroupId'] },
        ],
      },
    });
    expect(provider.DependsOn).toEqual(
      expect.arrayContaining([expect.stringMatching(/^InstancesOperatorRoleDefaultPolicy/)]),
    );
    expect(provider.DependsOn).toEqual(
      expect.arrayContaining([expect.stringMatching(/DeliverSubnet1DefaultRoute/)]),
    );
  });

  test('lets Lambda start instances in these subnets only, and only ones that it manages', () => {
    const statements = statementsOf(pipeline, 'InstancesOperatorRole');
    const acting = statements.filter((statement) =>
      actionsOf(statement).some((action) => /^ec2:(?!Describe)/.test(action)),
    );
    expect(acting).toHaveLength(3);
    for (const { Condition, Resource } of acting) {
      expect(Condition !== undefined || !JSON.stringify(Resource).includes('*')).toBe(true);
    }
    expect(acting.map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'ec2:ManagedResourceOperator': 'scaler.lambda.amazonaws.com' } },
      undefined,
      { StringEquals: { 'ec2:Owner': 'amazon' } },
    ]);
    const named = JSON.stringify(statements);
    expect(named).not.toContain('"ec2:TerminateInstances"');
    expect(named).not.toContain('iam:');
  });

  test("keeps the instances' logs as long as all others", () => {
    const [[id, logs]] = found('AWS::Logs::LogGroup', 'InstancesLogs') as [ReturnType<typeof found>[number]];
    expect(logs.Properties.RetentionInDays).toBe(180);
    expect(provider.Properties.TelemetryConfig.LoggingConfig.LogGroup).toEqual({ Ref: id });
  });

  test('raises an alarm when match or deliver finds no room for ten minutes', () => {
    observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'payhooks-prod-observability-instances-throttled',
      Threshold: 0,
      EvaluationPeriods: 2,
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'FILL(match, 0) + FILL(deliver, 0)' }),
        Match.objectLike({ MetricStat: Match.objectLike({ Period: 300, Stat: 'Sum' }) }),
      ]),
    });
  });

  test("leaves the duration of match and deliver out of the dashboard's cost", () => {
    const body = (stage: Stage) =>
      JSON.stringify(synthesized(stage).observability.findResources('AWS::CloudWatch::Dashboard'));
    const durations = (text: string) => text.split('Duration').length;
    expect(durations(body(ON_INSTANCES))).toBe(durations(body(STAGES.prod)) - 2);
  });
});
