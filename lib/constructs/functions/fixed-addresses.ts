import { Fn, Validations } from 'aws-cdk-lib';
import {
  CfnEIP,
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type ISecurityGroup,
  type IVpc,
  NatProvider,
  Peer,
  Port,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';

/** DynamoDB, SQS and EventBridge listen here, whatever ports callback URLs may use. */
const HTTPS = 443;

/**
 * What Lambda does with a function's role to attach it to a VPC. Source: AWSLambdaVPCAccessExecutionRole,
 * without its logging permissions.
 */
const JOIN_ACTIONS = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** A network whose outbound calls all leave from the same addresses. */
export interface Network {
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection;
  readonly securityGroups: ISecurityGroup[];
}

/** Lets Lambda create network interfaces with this role, and denies it to the function's own code. */
export function allowJoining(role: Role): void {
  const resources = ['*'];
  role.addToPolicy(new PolicyStatement({ actions: JOIN_ACTIONS, resources }));
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: JOIN_ACTIONS,
      resources,
      // Present only in requests from the function's code. Source: "Giving Lambda functions access to
      // resources in an Amazon VPC", AWS Lambda Developer Guide.
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      "Lambda creates network interfaces with this role and documents these actions on *; the function's code is denied them.",
  });
}

interface FixedAddressesProps {
  readonly settings: Settings;
  readonly natGateways: 1 | 2;
}

/**
 * Public addresses that never change, for partners with an allow list. A deployment that keeps its data also
 * keeps these addresses when the setting or the stack is removed, because partners rely on them.
 */
export class FixedAddresses extends Construct {
  readonly network: Network;
  readonly addresses: readonly string[];

  constructor(scope: Construct, id: string, { settings, natGateways }: FixedAddressesProps) {
    super(scope, id);
    const addresses = Array.from(
      { length: natGateways },
      (_, index) => new CfnEIP(this, `Address${index + 1}`, { domain: 'vpc' }),
    );
    this.addresses = addresses.map(({ attrPublicIp }) => attrPublicIp);
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      // Else CDK looks up the zones of a pinned account, and keeps them in a file.
      availabilityZones: [0, 1].map((zone) => Fn.select(zone, Fn.getAzs())),
      natGateways,
      natGatewayProvider: NatProvider.gateway({
        eipAllocationIds: addresses.map(({ attrAllocationId }) => attrAllocationId),
      }),
      // All workers of a function share one network interface per subnet.
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: 'Deliver', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 26 },
      ],
      // Nothing uses the default group. Emptying it would need a CDK custom resource that may change any
      // group.
      restrictDefaultSecurityGroup: false,
      // Most of deliver's AWS calls go to DynamoDB, and this endpoint is free. SQS and EventBridge:
      // docs/operations.md.
      gatewayEndpoints: { DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
    });
    const rejected = new LogGroup(this, 'RejectedTraffic', {
      retention: settings.logRetention,
    });
    vpc.addFlowLog('Rejected', {
      destination: FlowLogDestination.toCloudWatchLogs(rejected),
      // Accepted traffic is in the history: each attempt with its time, duration and result.
      trafficType: FlowLogTrafficType.REJECT,
    });
    this.network = {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [egressGroup(this, vpc, settings)],
    };
  }
}

/** Lets calls out to partners and to AWS, and nothing in. */
export function egressGroup(
  scope: Construct,
  vpc: IVpc,
  { callbackUrls }: Pick<Settings, 'callbackUrls'>,
): SecurityGroup {
  const group = new SecurityGroup(scope, 'Outwards', {
    vpc,
    description: 'deliver: to partners and to AWS, nothing inwards',
    allowAllOutbound: false,
  });
  for (const port of new Set([HTTPS, ...callbackUrls.allowedPorts])) {
    group.addEgressRule(Peer.anyIpv4(), Port.tcp(port), 'partners and AWS');
  }
  return group;
}
