import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type CfnFunction,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { meterVariables } from '../../functions/shared/aws-meter-line.ts';
import { METRIC_NAMESPACE } from '../../functions/shared/metric-names.ts';
import type { Stage } from '../stages.ts';
import { bundledCode } from './bundled-code.ts';
import { allowJoining, type Network } from './fixed-addresses.ts';

interface ServiceFunctionProps {
  readonly stage: Stage;
  /** Folder under `functions/` whose `handler.ts` is the entry. */
  readonly name: string;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout: Duration;
  /** Lambda gives CPU in proportion: 1,769 MiB are one whole core. */
  readonly memorySizeMiB: number;
  /** Set aside in the account, where the stage says that its quota allows it. @default - none */
  readonly reservedConcurrency?: number;
  /**
   * The function feeds a queue that invokes it again, on purpose and within bounds of its own: Lambda must not stop the 17th round.
   * @default false
   */
  readonly loops?: boolean;
  /** A network of ours that its calls go through. @default - Lambda's own */
  readonly network?: Network | undefined;
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

  /** Its folder under `functions/`. */
  readonly shortName: string;
  readonly memorySizeMiB: number;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { stage } = props;
    const traced = stage.tracing && props.traced === true;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays[stage.logRetention],
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    if (props.network !== undefined) {
      allowJoining(role);
    }
    super(scope, id, {
      description: props.description,
      code: bundledCode(props.name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memorySizeMiB,
      role,
      logGroup,
      ...props.network,
      tracing: traced ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(props.reservedConcurrency !== undefined && stage.concurrency.reserved
        ? { reservedConcurrentExecutions: props.reservedConcurrency }
        : {}),
      // Where a canary can fail, the way back is a version that is still there.
      currentVersionOptions: {
        removalPolicy: stage.rollout === 'canary' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      },
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...meterVariables(stage),
        ...props.environment,
      },
    });
    this.shortName = props.name;
    this.memorySizeMiB = props.memorySizeMiB;
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
