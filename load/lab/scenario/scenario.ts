import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import { RECOVERY_TARGETS } from '../../results/targets.ts';
import { nearest } from '../plan/nearest.ts';
import { namesIn } from './fill.ts';
import { isParameter, PARAMETERS, type ParameterName } from './parameters.ts';

/** What a template may stand for is only known once it is filled. */
const template = z.union([z.number(), z.string(), z.boolean()]);

/** Something for each of some parameters. */
function byParameter<T extends z.ZodType>(value: T) {
  return z
    .record(z.string(), value)
    .superRefine((given, { addIssue }) => {
      for (const name of Object.keys(given).filter((name) => !isParameter(name))) {
        addIssue(`there is no parameter ${name}; there is ${Object.keys(PARAMETERS).join(', ')}`);
      }
    })
    .transform((given) => given as Partial<Record<ParameterName, z.infer<T>>>);
}

/** How an endpoint behaves from then on, as functions/load-lab/receiver/store/settings.ts has it; `delay_ms` also as the parameter of that name. */
const receiverSchema = z.record(z.string(), z.union([template, z.array(template)]));
/** What the partner asks for with its subscription; 0 is left out. */
const subscriptionSchema = z.strictObject({ timeout_ms: template, rate_limit: template }).partial();

const partnersSchema = z.strictObject({
  /** A group of the result. */
  name: z.string(),
  /** A list such as `0.01,0.05`: a group for each of its values, which is `{{ each }}` there. */
  each: z.string().optional(),
  /** How many services; `rest`: those that no other group has, or one where the scenario has no parameter `services`. */
  services: template,
  /** While workers are warmed up, too. */
  receiver: receiverSchema,
  subscription: subscriptionSchema.default({}),
  changes: z
    .array(
      z.strictObject({
        /** Seconds of sending after the baseline; `end`: when all is sent. */
        at: template,
        /** So many seconds later the endpoint behaves as at the beginning. @default - it stays so */
        for: template.optional(),
        receiver: receiverSchema.optional(),
        subscription: subscriptionSchema.optional(),
      }),
    )
    .default([]),
});

export const scenarioSchema = z
  .strictObject({
    title: z.string(),
    /** The published experiment, and what was seen there. */
    source: z.strictObject({ name: z.string(), url: z.url().optional(), saw: z.array(z.string()).min(1) }),
    /** Defaults; each can be given as an option. */
    parameters: byParameter(z.union([z.number(), z.string()])),
    /** Parameters that take these values in turn: each combination is a cell. */
    axes: byParameter(z.array(z.number()).min(1)).default({}),
    /** The same with `--full`. */
    full_axes: byParameter(z.array(z.number()).min(1)).optional(),
    partners: z.array(partnersSchema).min(1),
    /** Sending stops when Payhooks tells that many messages wait, until it tells that they have eased. */
    stops_when_many_wait: z.boolean().default(false),
    /** It is watched what the API says of messages that wait for each group, and what is told of them on the bus. */
    watches_waiting: z.boolean().default(false),
    /** Its report says how each group got over its trouble. */
    recovery: z
      .strictObject({
        /** The group that the others are laid beside: it refuses nothing. */
        compared_with: z.string().optional(),
        /** What the others are held against; the numbers are in load/targets.ts. */
        targets: z.array(z.enum(RECOVERY_TARGETS)),
      })
      .optional(),
    /** Its cells go up, one after another, until that brings nothing more. */
    climbs: z.boolean().default(false),
    /** In Artillery's own words. */
    artillery: z.strictObject({
      phases: z.array(z.record(z.string(), template)).min(1),
      flow: z.array(z.unknown()).default([{ function: 'payment' }]),
    }),
    remarks: z.array(z.string()).default([]),
  })
  .refine(({ partners }) => partners.filter(({ services }) => services === 'rest').length === 1, {
    error: 'one group of partners must have the rest of the services',
    path: ['partners'],
  })
  .superRefine(({ parameters, axes, partners, artillery, recovery }, { addIssue }) => {
    const own = partners.flatMap((group) =>
      namesIn(group).filter((name) => name !== 'each' || group.each === undefined),
    );
    for (const name of [...own, ...namesIn(artillery)]) {
      if (!(name in parameters || name in axes)) {
        addIssue(`it names ${name}, which is none of its parameters`);
      }
    }
    const { compared_with } = recovery ?? {};
    if (compared_with !== undefined && !partners.some(({ name }) => name === compared_with)) {
      addIssue(`recovery is compared with ${compared_with}, which is none of its partners`);
    }
  });
export type Scenario = z.infer<typeof scenarioSchema>;
export type Partners = Scenario['partners'][number];

const SCENARIOS = join(import.meta.dirname, '../../scenarios');

export async function scenarioNames(): Promise<string[]> {
  return [...(await scenarioFiles()).keys()].sort();
}

/** The file of each scenario by its name; the folders only group them. */
async function scenarioFiles(): Promise<Map<string, string>> {
  const files = await readdir(SCENARIOS, { recursive: true });
  return new Map(
    files
      .filter((file) => file.endsWith('.yml'))
      .map((file) => [basename(file, '.yml'), join(SCENARIOS, file)]),
  );
}

/** @throws ExplainedError when no scenario has that name, listing those that exist, or when its file is invalid */
export async function readScenario(name: string): Promise<Scenario> {
  const files = await scenarioFiles();
  const file = files.get(name);
  if (file === undefined) {
    const names = [...files.keys()].sort();
    const meant = nearest(name, names);
    throw new ExplainedError(
      `There is no scenario ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}; there is ${names.join(', ')}`,
    );
  }
  return scenarioOf(await readFile(file, 'utf8'), `${name}.yml`);
}

/** @throws ExplainedError that names what is at fault */
export function scenarioOf(text: string, file: string): Scenario {
  const read = scenarioSchema.safeParse(parse(text));
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new ExplainedError([`${file} cannot be used:`, ...faults].join('\n'));
  }
  return read.data;
}
