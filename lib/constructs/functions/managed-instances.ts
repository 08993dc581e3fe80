import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Architecture, CapacityProvider, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import type { Network } from './fixed-addresses.ts';
import { instanceOperatorRole } from './instance-operator-role.ts';

/** The least that a function may have, and the least for each vCPU. Source: "Scaling Lambda Managed Instances", AWS Lambda Developer Guide. */
export const LEAST_MEMORY_MIB = 2_048;
const GIB_PER_VCPU = 2;

/** Batches of ten: as many records as an environment has room for, so none waits in line (functions/runtime/room.ts, docs/adr/0025). AWS's own value is 64. */
export const SIDE_BY_SIDE = 32;

/** One in each of three zones, or two in one of two. AWS's own value. */
export const FEWEST_ENVIRONMENTS = 3;

/** Two instances of the smallest type with 2 GiB for each vCPU, c7g.xlarge: one that fails can be replaced while all others are busy. */
const SPARE_VCPU = 8;

/**
 * How many environments may do what so many workers do on Lambda, with a vCPU each: twice as many as would hold all of their batches, for Lambda leaves
 * room for traffic to double.
 *
 * @param workers `concurrency` of the stage
 */
export function maxEnvironments(workers: number): number {
  return Math.max(FEWEST_ENVIRONMENTS, Math.ceil((2 * workers) / SIDE_BY_SIDE));
}

/** What all functions may have together: each in the version that goes and in the one that comes, and some to spare. */
export function maxVcpu(workers: readonly number[]): number {
  const environments = workers.reduce((sum, one) => sum + maxEnvironments(one), 0);
  return 2 * environments + SPARE_VCPU;
}

/**
 * An environment is one thread, so that what it holds is bounded as it was tested: with eight for each vCPU, as by default, it would have eight times the room, and more connections
 * than 1,024 open files. Source: "Node.js runtime for Lambda Managed Instances", AWS Lambda Developer Guide; the eight: github.com/aws/aws-lambda-nodejs-runtime-interface-client.
 */
export const ONE_THREAD = { AWS_LAMBDA_NODEJS_WORKER_COUNT: '1' } as const;

interface ManagedInstancesProps {
  readonly stage: Stage;
  readonly network: Network;
  /** The most workers of each function that runs there. */
  readonly workers: readonly number[];
}

/** EC2 instances of ours that Lambda looks after, for functions that trust each other: nothing but containers is between them. Source: "Security and permissions", AWS Lambda Developer Guide. */
export class ManagedInstances extends Construct {
  readonly provider: CapacityProvider;
  readonly maxVcpu: number;

  constructor(scope: Construct, id: string, { stage, network, workers }: ManagedInstancesProps) {
    super(scope, id);
    this.maxVcpu = maxVcpu(workers);
    const operatorRole = instanceOperatorRole(this, 'OperatorRole', network);
    // Without one of ours Lambda makes one that keeps everything for ever.
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays[stage.logRetention],
      removalPolicy: RemovalPolicy.DESTROY,
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
    // What it may do and the ways out of the network are resources of their own, and instances start without waiting for them.
    this.provider.node.addDependency(operatorRole, network.vpc);
  }

  /** Has a function run there; its versions say how many environments they have. */
  take(worker: LambdaFunction): void {
    this.provider.addFunction(worker, {
      perExecutionEnvironmentMaxConcurrency: SIDE_BY_SIDE,
      executionEnvironmentMemoryGiBPerVCpu: GIB_PER_VCPU,
      // Only the alias `live` is run: another version would have environments that do nothing.
      publishToLatestPublished: false,
    });
    Validations.of(worker).acknowledge({
      id: 'Annotation::aws-lambda:Function.CapacityProviderConfiguration',
      reason: 'Back on Lambda it is another function: ServiceFunction sees to that.',
    });
  }
}
