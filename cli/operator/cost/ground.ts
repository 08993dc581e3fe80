import { App, Stack } from 'aws-cdk-lib';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import type { Batches } from './measured/batch-sizes.ts';
import type { Measured } from './measured/measured.ts';
import { MONTH_SECONDS, type Usage } from './usage.ts';

/** What the use of a month depends on, besides the traffic. */
export interface Ground extends ReturnType<typeof groundOf> {
  readonly measured: Measured;
  readonly batches: Batches;
  readonly functions: ReadonlyMap<string, Deployed>;
}

/** Of a stage, by its settings and what it is made of. */
export function groundOf(settings: Stage, resources: readonly Resource[]) {
  const first = (type: string, id: string) =>
    ofType(resources, type).find((resource) => resource.id.startsWith(id))?.properties;
  const following = first('AWS::Lambda::EventSourceMapping', 'Statistics');
  const recovery = first('AWS::DynamoDB::Table', 'History')?.PointInTimeRecoverySpecification;
  return {
    /** How the changes of the history reach the statistics worker. */
    statistics: {
      batchSize: Number(following?.BatchSize ?? 1),
      windowSeconds: Number(following?.MaximumBatchingWindowInSeconds ?? 0),
      batchesAtATime: Number(following?.ParallelizationFactor ?? 1),
    },
    /** Of the history. */
    retentionDays: settings.deliveryPolicy.retentionDays,
    isRecoverable: recovery?.PointInTimeRecoveryEnabled === true,
    logDays: Number(first('AWS::Logs::LogGroup', 'Deliver')?.RetentionInDays ?? 0),
    archiveDays: settings.archive?.retention.toDays(),
    hasNat: ofType(resources, 'AWS::EC2::NatGateway').length > 0,
  };
}

/** As many as a new table has: docs/archive.md reckons with them. */
const FEWEST_SHARDS = 4;
/** A shard of a stream takes about a thousand writes a second. */
const UNITS_OF_A_SHARD = 1_000;

/** Of the stream of the history, for a number of messages a month. */
export function shardsFor(messages: number, { measured }: Pick<Ground, 'measured'>): number {
  const units = (messages / MONTH_SECONDS) * measured.courses.full.historyUnits;
  return Math.max(FEWEST_SHARDS, Math.ceil(units / UNITS_OF_A_SHARD));
}

/** A function of ours as it is deployed. */
interface Deployed {
  readonly name: string;
  readonly memoryGb: number;
  readonly isTraced: boolean;
  readonly resource: Resource;
}

export function functionsOf(resources: readonly Resource[]): ReadonlyMap<string, Deployed> {
  return new Map(
    ofType(resources, 'AWS::Lambda::Function').flatMap((resource) => {
      const { Environment, MemorySize, TracingConfig } = resource.properties;
      const name: string | undefined = Environment?.Variables?.POWERTOOLS_SERVICE_NAME;
      return name === undefined
        ? []
        : [
            [
              name,
              {
                name,
                memoryGb: MemorySize / 1_024,
                isTraced: TracingConfig?.Mode === 'Active',
                resource,
              },
            ],
          ];
    }),
  );
}

/**
 * Lambda traces the first invocation of each second, and one of twenty of the others. Source: "Visualize
 * Lambda function invocations using AWS X-Ray", AWS Lambda Developer Guide.
 */
const TRACED_SHARE = 0.05;

/**
 * What tracing costs a function whose invocations come at random instants: at one a second there is none in
 * each third second, and two or more in each fourth. Each sampled invocation counts as a trace of its own;
 * where one belongs to the trace of its sender it is less.
 */
export function tracesOf(deployed: Deployed | undefined, invocations: number): Usage {
  if (!deployed?.isTraced) {
    return {};
  }
  const first = MONTH_SECONDS * -Math.expm1(-invocations / MONTH_SECONDS);
  return { trace: first + TRACED_SHARE * (invocations - first) };
}

export interface Resource {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are types of resources
  readonly properties: any;
}

/** What a stage is made of. Its functions are not bundled for that, and its templates not checked. */
export function resourcesOf(stage: Stage): Resource[] {
  const app = new App({
    context: { 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });
  const stacks = Object.values(addPayhooks(app, stage)).filter((made) => made instanceof Stack);
  const assembly = app.synth();
  return stacks.flatMap(({ stackName }) => {
    const { Resources = {} } = assembly.getStackByName(stackName).template;
    return Object.entries<{ Type: string; Properties?: object }>(Resources).map(
      ([id, { Type, Properties = {} }]) => ({ id, type: Type, properties: Properties }),
    );
  });
}

export function ofType(resources: readonly Resource[], ...types: readonly string[]): Resource[] {
  return resources.filter(({ type }) => types.includes(type));
}

/** Whether a value of a template names a resource, in its own stack or another. */
export function names(value: unknown, { id }: Resource): boolean {
  return JSON.stringify(value)?.includes(id) ?? false;
}
