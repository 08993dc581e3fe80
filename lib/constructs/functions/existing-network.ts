import { type ISubnet, type IVpc, SubnetType } from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
import { egressGroup, type Network } from './fixed-addresses.ts';

/**
 * A network that exists already; undefined where the settings name none.
 *
 * @throws when nothing in these subnets reaches the internet, as far as that is known
 */
export function existingNetwork(scope: Construct, settings: Settings): Network | undefined {
  const { vpc, vpcSubnets = { subnetType: SubnetType.PRIVATE_WITH_EGRESS } } = settings;
  if (vpc === undefined) {
    return undefined;
  }
  if (settings.fixedAddresses !== undefined) {
    throw new Error(
      'vpc and fixedAddresses exclude each other: give your VPC a NAT gateway, or leave it out',
    );
  }
  if (settings.vpcSubnets === undefined && vpc.privateSubnets.length === 0) {
    throw withoutEgress(vpc, 'it has no private subnets with egress');
  }
  const { subnets, isPendingLookup } = vpc.selectSubnets(vpcSubnets);
  const among = (others: readonly ISubnet[]) => subnets.some((subnet) => others.includes(subnet));
  if (isPendingLookup !== true) {
    if (among(vpc.isolatedSubnets)) {
      throw withoutEgress(vpc, 'some of these subnets are isolated');
    }
    if (among(vpc.publicSubnets)) {
      throw withoutEgress(vpc, 'functions in public subnets get no public address');
    }
  }
  return {
    vpc,
    vpcSubnets,
    securityGroups: settings.securityGroups ?? [egressGroup(scope, vpc, settings)],
  };
}

function withoutEgress(vpc: IVpc, because: string): Error {
  return new Error(
    `no webhook would leave the VPC ${vpc.node.path}: ${because}. Choose vpcSubnets with a route to a NAT gateway`,
  );
}
