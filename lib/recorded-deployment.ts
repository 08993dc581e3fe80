import * as z from 'zod/mini';
import {
  type DeliveryPolicy,
  deliveryPolicyJson,
  parseDeliveryPolicy,
} from '../functions/core/attempt/delivery-policy.ts';

/** Below it lies what each deployment of an account and region writes of itself. */
export const RECORDS_PATH = '/payhooks';

/** The first is there as long as anything is. */
export const PARTS = ['data', 'pipeline', 'archive', 'api', 'load-lab', 'observability', 'people'] as const;
export type Part = (typeof PARTS)[number];

/** The deployment of a Payhooks by its name, which is that of the stage in our own app. */
export function stageDeployment(stage: string): string {
  return `payhooks-${stage}`;
}

/** How a command chooses a deployment whose name is known. */
export function optionFor(deployment: string): string {
  const prefix = stageDeployment('');
  return deployment.startsWith(prefix) && deployment !== prefix
    ? `--stage ${deployment.slice(prefix.length)}`
    : `--stack ${deployment}`;
}

/** The name of an SSM parameter with a piece of a deployment's record. */
export function recordName(deployment: string, piece: Part | 'settings'): string {
  return `${RECORDS_PATH}/${deployment}/${piece}`;
}

/** Letters, digits, `.`, `_` and `-`: it becomes a part of the names of SSM parameters. */
export const DEPLOYMENT_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

const settingsSchema = z.object({
  /** That of the stage, in our own app. */
  name: z.string(),
  emulated: z.boolean(),
  keepsData: z.boolean(),
  customerManagedKey: z.boolean(),
  tracing: z.boolean(),
  logRetentionDays: z.number(),
  metricNamespace: z.string(),
  shards: z.union([z.literal(16), z.literal(64)]),
  concurrency: z.object({
    match: z.number(),
    deliver: z.number(),
    wake: z.number(),
    sweep: z.number(),
    statistics: z.number(),
    syntheticReceiver: z.number(),
    reserved: z.boolean(),
  }),
  pollers: z.optional(z.object({ eventsPerSecond: z.number(), webhooksPerSecond: z.optional(z.number()) })),
  visibilityFactor: z.number(),
  oldestRecordSeconds: z.number(),
  deliveryPolicy: z.custom<DeliveryPolicy>(),
});

/** What commands have to know of how a deployment was set up. */
export type DeploymentSettings = Readonly<z.infer<typeof settingsSchema>>;

const recordSchema = z.object({
  settings: z.object({ ...settingsSchema.shape, deliveryPolicy: z.string() }),
  /**
   * The stack of each part by name, and by its path in the app, as `cdk deploy` takes it. Parts may share
   * one.
   */
  parts: z.partialRecord(z.enum(PARTS), z.object({ stack: z.string(), path: z.string() })),
});

export interface RecordedSettings {
  readonly settings: DeploymentSettings;
  readonly parts: Readonly<Partial<Record<Part, { readonly stack: string; readonly path: string }>>>;
}

export function settingsJson({ settings, parts }: RecordedSettings): string {
  const deliveryPolicy = deliveryPolicyJson(settings.deliveryPolicy);
  return JSON.stringify({ settings: { ...settings, deliveryPolicy }, parts });
}

/** @throws when it is not a record that this release can read */
export function readSettings(json: string): RecordedSettings {
  const { settings, parts } = z.parse(recordSchema, JSON.parse(json));
  return { settings: { ...settings, deliveryPolicy: parseDeliveryPolicy(settings.deliveryPolicy) }, parts };
}

const partSchema = z.object({
  /** How the logical ids of its resources begin: others may be in the same stack. */
  prefix: z.string(),
  /** Names, URLs and ARNs, each by a name that is unique in the deployment. */
  values: z.record(z.string(), z.string()),
  /** Names of functions and their roles, by the id of the function's construct. */
  functions: z.record(z.string(), z.object({ name: z.string(), role: z.string() })),
});
export type RecordedPart = Readonly<z.infer<typeof partSchema>>;

/** @throws when it is not a record that this release can read */
export function readPart(json: string): RecordedPart {
  return z.parse(partSchema, JSON.parse(json));
}
