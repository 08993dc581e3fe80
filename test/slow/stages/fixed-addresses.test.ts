import type { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { nagged, propertiesOf, synthesized, testApp } from '../../support/templates/synthesized.ts';

function pipelineOf(stage: Stage): { readonly app: App; readonly pipeline: Template } {
  const app = testApp();
  const { pipeline } = addPayhooks(app, stage);
  return { app, pipeline: Template.fromStack(pipeline) };
}

const { app, pipeline } = pipelineOf({ ...STAGES.prod, fixedAddresses: { natGateways: 2 } });
const functions = Object.entries(pipeline.findResources('AWS::Lambda::Function'));
const deliver = functions.find(([id]) => id.startsWith('Deliver'))![1].Properties;

const idsOf = (type: string, props: object = {}) =>
  Object.keys(pipeline.findResources(type, { Properties: props }));
const privateSubnets = idsOf('AWS::EC2::Subnet').filter((id) => id.includes('DeliverSubnet'));

test.each(['local', 'dev', 'prod'] as const)('%s has no VPC', (name) => {
  synthesized(name).pipeline.resourceCountIs('AWS::EC2::VPC', 0);
});

describe('a stage with two fixed addresses', () => {
  test('runs deliver in the private subnets of two zones, and no other function', () => {
    expect(privateSubnets).toHaveLength(2);
    expect(deliver.VpcConfig.SubnetIds).toEqual(privateSubnets.map((Ref) => ({ Ref })));
    expect(functions.filter(([, { Properties }]) => 'VpcConfig' in Properties)).toHaveLength(1);
  });

  test("routes each private subnet through its zone's NAT gateway, whose address is a stack output", () => {
    const addresses = idsOf('AWS::EC2::EIP');
    const gateways = propertiesOf(pipeline, 'EC2::NatGateway');
    expect(gateways.map(({ AllocationId }) => AllocationId)).toEqual(
      addresses.map((id) => ({ 'Fn::GetAtt': [id, 'AllocationId'] })),
    );
    const { FixedAddress1, FixedAddress2 } = pipeline.findOutputs('*');
    expect([FixedAddress1, FixedAddress2]).toEqual(
      addresses.map((id) => ({ Value: { 'Fn::GetAtt': [id, 'PublicIp'] } })),
    );
    const ways = propertiesOf(pipeline, 'EC2::Route').filter(
      ({ NatGatewayId }) => NatGatewayId !== undefined,
    );
    expect(new Set(ways.map(({ NatGatewayId }) => NatGatewayId.Ref)).size).toBe(2);
    expect(ways.every((gateDecision) => gateDecision.DestinationCidrBlock === '0.0.0.0/0')).toBe(true);
  });

  test('retains the addresses when it keeps its data: partners rely on them', () => {
    pipeline.allResources('AWS::EC2::EIP', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    const { pipeline: passing } = pipelineOf({ ...STAGES.dev, fixedAddresses: { natGateways: 1 } });
    passing.allResources('AWS::EC2::EIP', { DeletionPolicy: 'Delete' });
  });

  test('reaches DynamoDB through a gateway endpoint, also from private subnets', () => {
    pipeline.hasResourceProperties('AWS::EC2::VPCEndpoint', {
      VpcEndpointType: 'Gateway',
      ServiceName: { 'Fn::Join': ['', ['com.amazonaws.', { Ref: 'AWS::Region' }, '.dynamodb']] },
      RouteTableIds: Match.arrayWith(
        idsOf('AWS::EC2::RouteTable')
          .filter((id) => id.includes('DeliverSubnet'))
          .map((Ref) => ({ Ref })),
      ),
    });
    pipeline.resourceCountIs('AWS::EC2::VPCEndpoint', 1);
  });

  test('allows deliver outbound TLS, and nobody inbound', () => {
    const [group, ...others] = propertiesOf(pipeline, 'EC2::SecurityGroup');
    expect(others).toEqual([]);
    expect(group.SecurityGroupIngress).toBeUndefined();
    expect(group.SecurityGroupEgress).toEqual([
      { CidrIp: '0.0.0.0/0', Description: expect.any(String), FromPort: 443, ToPort: 443, IpProtocol: 'tcp' },
    ]);
    pipeline.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0);
    expect(deliver.VpcConfig.SecurityGroupIds).toEqual([
      { 'Fn::GetAtt': [idsOf('AWS::EC2::SecurityGroup')[0], 'GroupId'] },
    ]);
  });

  test('allows deliver the other ports that callback URLs may use', () => {
    const { pipeline: wider } = pipelineOf({
      ...STAGES.dev,
      fixedAddresses: { natGateways: 1 },
      callbackUrls: { allowLoopback: false, allowedPorts: [443, 8443] },
    });
    wider.hasResourceProperties('AWS::EC2::SecurityGroup', {
      SecurityGroupEgress: [Match.objectLike({ FromPort: 443 }), Match.objectLike({ FromPort: 8443 })],
    });
  });

  test('logs rejected traffic', () => {
    pipeline.hasResourceProperties('AWS::EC2::FlowLog', { ResourceType: 'VPC', TrafficType: 'REJECT' });
  });

  test("lets Lambda create network interfaces for deliver, and denies it to deliver's code", () => {
    const statements = Object.values(pipeline.findResources('AWS::IAM::Policy'))
      .flatMap(({ Properties: { Roles, PolicyDocument } }) =>
        PolicyDocument.Statement.map((statement: object) => ({ role: Roles[0].Ref, ...statement })),
      )
      .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('ec2:')));
    const actions = [
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ];
    const role = expect.stringMatching(/^DeliverRole/);
    expect(statements).toEqual([
      { role, Effect: 'Allow', Action: actions, Resource: '*' },
      {
        role,
        Effect: 'Deny',
        Action: actions,
        Resource: '*',
        Condition: { Null: { 'lambda:SourceFunctionArn': 'false' } },
      },
    ]);
  });

  test('leaves its zones to CloudFormation: synthesis asks nobody', () => {
    expect(app.synth().manifest.missing ?? []).toEqual([]);
    pipeline.allResourcesProperties('AWS::EC2::Subnet', {
      AvailabilityZone: { 'Fn::Select': [Match.anyValue(), { 'Fn::GetAZs': '' }] },
    });
  });

  test('passes cdk-nag', () => {
    expect(() => nagged({ ...STAGES.prod, fixedAddresses: { natGateways: 2 } })).not.toThrow();
  });
});
