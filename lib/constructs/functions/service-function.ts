import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { meterVariables } from '../../../functions/telemetry/aws-meter-line.ts';
import type { FunctionName } from '../../bundling/function-folders.ts';
import type { Settings } from '../../settings.ts';
import { bundledCode } from './bundled-code.ts';
import { allowJoining, type Network } from './fixed-addresses.ts';

interface ServiceFunctionProps {
  readonly settings: Settings;
  readonly name: FunctionName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout: Duration;
  /** CPU is proportional to memory: 1,769 MiB give one full core. */
  readonly memorySizeMiB: number;
  /**
   * The most workers, reserved where the stage says that the account's quota allows it.
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

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { settings, network, memorySizeMiB, reservedConcurrency } = props;
    const traced = settings.tracing && props.traced === true;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settings.logRetention,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    if (network !== undefined) {
      allowJoining(role);
    }
    super(scope, id, {
      description: props.description,
      code: bundledCode(props.name, settings),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: memorySizeMiB,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Without Lambda's START, END and REPORT, some 350 bytes for each invocation. Those that fail keep their
      // report. Source: "Log-level filtering", AWS Lambda Developer Guide, system log level event mapping.
      systemLogLevelV2: SystemLogLevel.WARN,
      // Metrics are lines without a level, which Lambda takes for INFO: a higher level would drop them.
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      ...network,
      tracing: traced ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(reservedConcurrency !== undefined && settings.concurrency.reserved
        ? { reservedConcurrentExecutions: reservedConcurrency }
        : {}),
      // A canary rolls back to the previous version, so it has to be kept.
      currentVersionOptions: {
        removalPolicy: settings.rollout === 'canary' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      },
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_METRICS_NAMESPACE: settings.metricNamespace,
        ...meterVariables(settings),
        ...props.environment,
      },
    });
    this.shortName = props.name;
    this.memorySizeMiB = memorySizeMiB;
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

  /** These actions of DynamoDB, such as `Query`, on a table; its indexes not included. */
  allowTable({ tableArn }: Table, ...actions: readonly string[]): void {
    this.allow(tableActions(actions), tableArn);
  }

  /** The same, under these conditions. */
  allowTableIf(conditions: Conditions, { tableArn }: Table, ...actions: readonly string[]): void {
    this.allowIf(conditions, tableActions(actions), tableArn);
  }

  /** Allows exactly these actions on exactly these resources, under these conditions. */
  allowIf(conditions: Conditions, actions: readonly string[], ...resources: readonly string[]): void {
    this.addToRolePolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
    );
  }
}

const tableActions = (actions: readonly string[]) => actions.map((action) => `dynamodb:${action}`);

/** The ARNs of indexes, for grants to query them. */
export const indexesOf = ({ tableArn }: Table, ...names: readonly string[]): string[] =>
  names.map((name) => `${tableArn}/index/${name}`);
