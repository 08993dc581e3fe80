import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import type { Stage } from '../../stages.ts';
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
  /** Lambda gives CPU in proportion: 1,769 MiB are one whole core. */
  readonly memorySizeMiB: number;
  /** Its workers at most. On Lambda they are set aside in the account, where the stage says that its quota allows it. @default - none are set aside */
  readonly reservedConcurrency?: number;
  /**
   * The function feeds a queue that invokes it again, on purpose and within bounds of its own: Lambda must not stop the 17th round.
   * @default false
   */
  readonly loops?: boolean;
  /** A network of ours that its calls go through. @default - Lambda's own */
  readonly network?: Network | undefined;
  /**
   * Where it runs instead of on Lambda: its network is theirs, and nothing is set aside in the account. No function can leave them, so it is another one than on Lambda,
   * with the same role and logs. Source: CDK, `CapacityProvider.addFunction`.
   *
   * @default - on Lambda
   */
  readonly instances?: ManagedInstances | undefined;
  /** Whether X-Ray follows it, where the stage has X-Ray: docs/adr/0018. @default false */
  readonly traced?: boolean;
}

/** By this name whoever runs a function finds the version that is live. */
const LIVE = 'live';

/**
 * A function of ours: one bundle with its own SDK, its own log group, and a role that holds only what it is granted. Queues, schedules and routes run it
 * as `live`, so that a new version can take over step by step.
 */
export class ServiceFunction extends LambdaFunction {
  #live: Alias | undefined;

  readonly shortName: FunctionName;
  readonly memorySizeMiB: number;
  /** Its time costs nothing: the instances do. */
  readonly runsOnInstances: boolean;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage, instances } = props;
    const network = instances === undefined ? props.network : undefined;
    const memorySizeMiB =
      instances === undefined ? props.memorySizeMiB : Math.max(LEAST_MEMORY_MIB, props.memorySizeMiB);
    const traced = stage.tracing && props.traced === true;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays[stage.logRetention],
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    if (network !== undefined) {
      allowJoining(role);
    }
    super(scope, instances === undefined ? id : `${id}OnInstances`, {
      description: props.description,
      code: bundledCode(props.name),
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

  /** The version that is live; while a canary lasts, the one that comes has a tenth of the work, and the one that goes the rest. */
  get live(): Alias {
    this.#live ??= new Alias(this, 'Live', { aliasName: LIVE, version: this.currentVersion });
    return this.#live;
  }

  /** Lets the function take exactly these actions on exactly these resources. */
  allow(actions: readonly string[], ...resources: readonly string[]): void {
    this.addToRolePolicy(
      new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] }),
    );
  }
}

function onLambda({ concurrency, rollout }: Stage, workers: number | undefined): Partial<FunctionProps> {
  return {
    ...(workers !== undefined && concurrency.reserved ? { reservedConcurrentExecutions: workers } : {}),
    // Where a canary can fail, the way back is a version that is still there.
    currentVersionOptions: {
      removalPolicy: rollout === 'canary' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    },
  };
}

function onInstances(workers: number): Partial<FunctionProps> {
  return {
    // They know no other. Source: "Node.js runtime for Lambda Managed Instances", AWS Lambda Developer Guide.
    loggingFormat: LoggingFormat.JSON,
    currentVersionOptions: {
      // One that is kept would keep its environments, and be paid for. While a canary lasts both are there: CloudFormation deletes when all else is done.
      removalPolicy: RemovalPolicy.DESTROY,
      minExecutionEnvironments: FEWEST_ENVIRONMENTS,
      maxExecutionEnvironments: maxEnvironments(workers),
    },
  };
}
