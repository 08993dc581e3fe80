import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type CfnFunction,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { meterVariables } from '../../../functions/telemetry/aws-meter-line.ts';
import { METRIC_NAMESPACE } from '../../../functions/telemetry/metric-names.ts';
import type { FunctionName } from '../../bundling/function-folders.ts';
import type { Stage } from '../../stage.ts';
import { bundledCode } from './bundled-code.ts';
import { allowJoining, type Network } from './fixed-addresses.ts';
import {
  FEWEST_ENVIRONMENTS,
  LEAST_MEMORY_MIB,
  type ManagedInstances,
  maxEnvironments,
  ONE_THREAD,
} from './managed-instances.ts';

interface ServiceFunctionProps {
  readonly stage: Stage;
  readonly name: FunctionName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout: Duration;
  /** CPU is proportional to memory: 1,769 MiB give one full core. */
  readonly memorySizeMiB: number;
  /**
   * The most workers. On Lambda they are reserved where the stage says that the account's quota allows it.
   * @default - no limit of its own
   */
  readonly reservedConcurrency?: number;
  /**
   * Whether the function sends to a queue that invokes it again, if only through other functions, on purpose
   * and within its own bounds: Lambda must not stop the loop after 16 rounds.
   *
   * @default false
   */
  readonly loops?: boolean;
  /** The VPC that its calls go through. @default - Lambda's own network */
  readonly network?: Network | undefined;
  /**
   * Managed instances to run on instead of Lambda: they bring their network, and no concurrency is reserved.
   * A function cannot leave its instances, so there it is a different construct, with the same role and logs.
   * Source: CDK, `CapacityProvider.addFunction`.
   *
   * @default - on Lambda
   */
  readonly instances?: ManagedInstances | undefined;
  /** Whether X-Ray traces it, on stages with tracing: docs/adr/0018. @default false */
  readonly traced?: boolean;
}

/** The alias that every invoker uses. */
const LIVE = 'live';

/**
 * One of our Lambda functions: one bundle with its own AWS SDK, its own log group, and a role with explicit
 * grants only. Queues, schedules and routes invoke the alias `live`, so that a new version can take over
 * gradually.
 */
export class ServiceFunction extends LambdaFunction {
  #live: Alias | undefined;

  readonly shortName: FunctionName;
  readonly memorySizeMiB: number;
  /** Then its duration is not billed: the instances are. */
  readonly runsOnInstances: boolean;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, instances } = props;
    const network = instances === undefined ? props.network : undefined;
    const memorySizeMiB =
      instances === undefined ? props.memorySizeMiB : Math.max(LEAST_MEMORY_MIB, props.memorySizeMiB);
    const traced = stage.tracing && props.traced === true;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays[stage.logRetention],
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    if (network !== undefined) {
      allowJoining(role);
    }
    super(scope, instances === undefined ? id : `${id}OnInstances`, {
      description: props.description,
      code: bundledCode(props.name, stage.console),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: memorySizeMiB,
      role,
      logGroup,
      ...network,
      tracing: traced ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(instances === undefined
        ? onLambda(stage, props.reservedConcurrency)
        : onInstances(props.reservedConcurrency ?? 1)),
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...meterVariables(stage),
        ...(instances === undefined ? {} : ONE_THREAD),
        ...props.environment,
      },
    });
    instances?.take(this);
    this.shortName = props.name;
    this.memorySizeMiB = memorySizeMiB;
    this.runsOnInstances = instances !== undefined;
    if (props.loops) {
      (this.node.defaultChild as CfnFunction).recursiveLoop = 'Allow';
    }
    if (traced) {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray has no resources: PutTraceSegments and PutTelemetryRecords can only be granted on *.',
      });
    }
  }

  /**
   * The live version. During a canary a tenth of the invocations go to the new version, the rest to the old
   * one.
   */
  get live(): Alias {
    this.#live ??= new Alias(this, 'Live', { aliasName: LIVE, version: this.currentVersion });
    return this.#live;
  }

  /** Allows exactly these actions on exactly these resources. */
  allow(actions: readonly string[], ...resources: readonly string[]): void {
    this.allowIf({}, actions, ...resources);
  }

  /** The same, under these conditions. */
  allowIf(conditions: Conditions, actions: readonly string[], ...resources: readonly string[]): void {
    this.addToRolePolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
    );
  }
}

function onLambda({ concurrency, rollout }: Stage, workers: number | undefined): Partial<FunctionProps> {
  return {
    ...(workers !== undefined && concurrency.reserved ? { reservedConcurrentExecutions: workers } : {}),
    // A canary rolls back to the previous version, so it has to be kept.
    currentVersionOptions: {
      removalPolicy: rollout === 'canary' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    },
  };
}

function onInstances(workers: number): Partial<FunctionProps> {
  return {
    // Instances support no other format. Source: "Node.js runtime for Lambda Managed Instances", AWS Lambda
    // Developer Guide.
    loggingFormat: LoggingFormat.JSON,
    currentVersionOptions: {
      // A retained version would keep its environments, and cost money. During a canary both exist:
      // CloudFormation deletes the old one at the end.
      removalPolicy: RemovalPolicy.DESTROY,
      minExecutionEnvironments: FEWEST_ENVIRONMENTS,
      maxExecutionEnvironments: maxEnvironments(workers),
    },
  };
}
