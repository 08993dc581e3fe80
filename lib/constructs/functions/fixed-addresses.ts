import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib';
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
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';

/** DynamoDB, SQS and EventBridge answer there, whatever ports callback URLs may name. */
const HTTPS = 443;

/** What Lambda does with the role of a function to join it to a VPC. Source: AWSLambdaVPCAccessExecutionRole, without its rights to log. */
const JOIN_ACTIONS = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** Where a function runs whose calls all leave by the same addresses. */
export interface Network {
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection;
  readonly securityGroups: ISecurityGroup[];
}

/** Lets Lambda, with this role, make a function's network interfaces; and the code of the function not. */
export function allowJoining(role: Role): void {
  const resources = ['*'];
  role.addToPolicy(new PolicyStatement({ actions: JOIN_ACTIONS, resources }));
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: JOIN_ACTIONS,
      resources,
      // Present only in what a function's own code asks for. Source: "Giving Lambda functions access to resources in an Amazon VPC", Lambda Developer Guide.
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Lambda makes network interfaces with this role, and says that it takes these actions on *; the code of the function is denied them.',
  });
}

interface FixedAddressesProps {
  readonly stage: Stage;
  readonly natGateways: 1 | 2;
}

/**
 * Public addresses that stay the same, for partners who let in only whom they know. The stack's outputs `FixedAddress1` and `FixedAddress2` tell them.
 * A stage that keeps its data keeps them too, even when the setting or the stack is gone: partners have written them down.
 */
export class FixedAddresses extends Construct {
  readonly network: Network;

  constructor(scope: Construct, id: string, { stage, natGateways }: FixedAddressesProps) {
    super(scope, id);
    const addresses = Array.from({ length: natGateways }, (_, index) => {
      const address = new CfnEIP(this, `Address${index + 1}`, { domain: 'vpc' });
      address.applyRemovalPolicy(stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
      new CfnOutput(scope, `FixedAddress${index + 1}`, { value: address.attrPublicIp });
      return address;
    });
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      maxAzs: 2,
      natGateways,
      natGatewayProvider: NatProvider.gateway({
        eipAllocationIds: addresses.map(({ attrAllocationId }) => attrAllocationId),
      }),
      // All workers of a function share one network interface in each subnet.
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: 'Deliver', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 26 },
      ],
      // Nothing is in the default group; emptying it would take a function of the CDK's that may change any group.
      restrictDefaultSecurityGroup: false,
      // Most of deliver's calls of AWS go to DynamoDB, and this way is free. For SQS and EventBridge see docs/operations.md.
      gatewayEndpoints: { DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
    });
    const rejected = new LogGroup(this, 'RejectedTraffic', {
      retention: RetentionDays[stage.logRetention],
      removalPolicy: RemovalPolicy.DESTROY,
    });
    vpc.addFlowLog('Rejected', {
      destination: FlowLogDestination.toCloudWatchLogs(rejected),
      // What was let through is in the history: each attempt, with when, how long and what came back.
      trafficType: FlowLogTrafficType.REJECT,
    });
    this.network = {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [this.outwards(vpc, stage)],
    };
  }

  private outwards(vpc: IVpc, stage: Stage): SecurityGroup {
    const group = new SecurityGroup(this, 'Outwards', {
      vpc,
      description: 'deliver: to partners and to AWS, nothing inwards',
      allowAllOutbound: false,
    });
    for (const port of new Set([HTTPS, ...stage.callbackUrls.allowedPorts])) {
      group.addEgressRule(Peer.anyIpv4(), Port.tcp(port), 'partners and AWS');
    }
    return group;
  }
}
