import { Validations } from 'aws-cdk-lib';
import { Architecture, CapacityProvider, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../stage.ts';
import type { Network } from './fixed-addresses.ts';
import { instanceOperatorRole } from './instance-operator-role.ts';

/**
 * The minimum for a function, and for each vCPU. Source: "Scaling Lambda Managed Instances", AWS Lambda
 * Developer Guide.
 */
export const LEAST_MEMORY_MIB = 2_048;
const GIB_PER_VCPU = 2;

/**
 * Concurrent batches of ten per environment: as many records as it has room for, so none waits inside it
 * (functions/runtime/room.ts, docs/adr/0025). AWS's default is 64.
 */
export const SIDE_BY_SIDE = 32;

/** One in each of three zones, or two in one of two. AWS's default. */
export const FEWEST_ENVIRONMENTS = 3;

/**
 * Two c7g.xlarge, the smallest type with 2 GiB per vCPU: a failed instance can be replaced while all others
 * are busy.
 */
const SPARE_VCPU = 8;

/**
 * The most environments, with one vCPU each, for the work of this many Lambda workers: twice what their
 * batches need, because Lambda keeps headroom for traffic to double.
 *
 * @param workers `concurrency` of the stage
 */
export function maxEnvironments(workers: number): number {
  return Math.max(FEWEST_ENVIRONMENTS, Math.ceil((2 * workers) / SIDE_BY_SIDE));
}

/** The vCPU limit for all functions together: old and new version of each, plus spare instances. */
function maxVcpu(workers: readonly number[]): number {
  const environments = workers.reduce((sum, one) => sum + maxEnvironments(one), 0);
  return 2 * environments + SPARE_VCPU;
}

/**
 * One thread per environment, so that the tested bounds on memory and connections hold. The default, eight
 * per vCPU, would have eight times the room and more connections than the limit of 1,024 open files. Source:
 * "Node.js runtime for Lambda Managed Instances", AWS Lambda Developer Guide; the eight:
 * github.com/aws/aws-lambda-nodejs-runtime-interface-client.
 */
export const ONE_THREAD = { AWS_LAMBDA_NODEJS_WORKER_COUNT: '1' } as const;

interface ManagedInstancesProps {
  readonly stage: Stage;
  readonly network: Network;
  /** The concurrency limit of each function that runs there. */
  readonly workers: readonly number[];
}

/**
 * EC2 instances in our account, managed by Lambda, for functions that trust each other: only containers
 * separate them. Source: "Security and permissions", AWS Lambda Developer Guide.
 */
export class ManagedInstances extends Construct {
  readonly provider: CapacityProvider;
  readonly maxVcpu: number;

  constructor(scope: Construct, id: string, { stage, network, workers }: ManagedInstancesProps) {
    super(scope, id);
    this.maxVcpu = maxVcpu(workers);
    const operatorRole = instanceOperatorRole(this, 'OperatorRole', network);
    // Otherwise Lambda creates a log group that never expires.
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays[stage.logRetention],
    });
    logGroup.grantWrite(operatorRole);
    this.provider = new CapacityProvider(this, 'Provider', {
      subnets: network.vpc.selectSubnets(network.vpcSubnets).subnets,
      securityGroups: network.securityGroups,
      operatorRole,
      architectures: [Architecture.ARM_64],
      maxVCpuCount: this.maxVcpu,
      logGroup,
    });
    // The role's policy and the network's routes are separate resources; without this dependency instances
    // could start before them.
    this.provider.node.addDependency(operatorRole, network.vpc);
  }

  /** Runs a function there. Its versions set the number of environments. */
  take(worker: LambdaFunction): void {
    this.provider.addFunction(worker, {
      perExecutionEnvironmentMaxConcurrency: SIDE_BY_SIDE,
      executionEnvironmentMemoryGiBPerVCpu: GIB_PER_VCPU,
      // Only the alias `live` is invoked: environments of another version would be idle.
      publishToLatestPublished: false,
    });
    Validations.of(worker).acknowledge({
      id: 'Annotation::aws-lambda:Function.CapacityProviderConfiguration',
      reason: 'A function that moves back to Lambda gets a new construct id: ServiceFunction sees to that.',
    });
  }
}
