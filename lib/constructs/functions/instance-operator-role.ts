import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { cdkNagValue } from '../cdk-nag-value.ts';
import type { Network } from './fixed-addresses.ts';

/**
 * The role with which Lambda starts instances: the permissions of AWSLambdaManagedEC2ResourceOperator,
 * limited to the stage's subnets and security group. Lambda terminates instances with a service-linked role.
 * Source: "Lambda operator role for Lambda Managed Instances", AWS Lambda Developer Guide.
 */
export function instanceOperatorRole(
  scope: Construct,
  id: string,
  { vpc, vpcSubnets, securityGroups }: Network,
): Role {
  const ec2 = (resource: string, resourceName: string, account?: string) =>
    Stack.of(scope).formatArn({
      service: 'ec2',
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      ...(account === undefined ? {} : { account }),
    });
  const role = new Role(scope, id, {
    description: 'Lets Lambda start and stop the instances of match and deliver',
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['ec2:RunInstances', 'ec2:CreateTags', 'ec2:AttachNetworkInterface'],
      resources: [ec2('instance', '*'), ec2('network-interface', '*'), ec2('volume', '*')],
      conditions: { StringEquals: { 'ec2:ManagedResourceOperator': 'scaler.lambda.amazonaws.com' } },
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: [
        'ec2:DescribeAvailabilityZones',
        'ec2:DescribeCapacityReservations',
        'ec2:DescribeInstances',
        'ec2:DescribeInstanceStatus',
        'ec2:DescribeInstanceTypeOfferings',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeSecurityGroups',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['ec2:RunInstances', 'ec2:CreateNetworkInterface'],
      resources: [
        ...vpc.selectSubnets(vpcSubnets).subnetIds.map((subnet) => ec2('subnet', subnet)),
        ...securityGroups.map(({ securityGroupId }) => ec2('security-group', securityGroupId)),
      ],
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['ec2:RunInstances'],
      // Amazon owns the images.
      resources: [ec2('image', '*', '*')],
      conditions: { StringEquals: { 'ec2:Owner': 'amazon' } },
    }),
  );
  acknowledge(role);
  return role;
}

function acknowledge(role: Role): void {
  const stack = Stack.of(role);
  const ec2 = `arn:${cdkNagValue(stack.partition, 'Partition')}:ec2:${cdkNagValue(stack.region, 'Region')}`;
  const account = cdkNagValue(stack.account, 'AccountId');
  const known = (resource: string, reason: string) =>
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  for (const made of ['instance', 'network-interface', 'volume']) {
    known(
      `${ec2}:${account}:${made}/*`,
      'These have no name before they exist; the condition allows only what Lambda manages.',
    );
  }
  known(`${ec2}:*:image/*`, "Lambda chooses the image; the condition allows only Amazon's.");
  known('*', 'EC2 grants these Describe actions on all resources or none.');
}
