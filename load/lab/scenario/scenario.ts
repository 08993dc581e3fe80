import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { namesIn } from './fill.ts';
import { isParameter, PARAMETERS, type ParameterName } from './parameters.ts';

/** A placeholder's type is only known once it is filled. */
const template = z.union([z.number(), z.string(), z.boolean()]);

/** A value for some of the parameters. */
function byParameter<T extends z.ZodType>(value: T) {
  return z
    .record(z.string(), value)
    .superRefine((given, { addIssue }) => {
      for (const name of Object.keys(given).filter((name) => !isParameter(name))) {
        addIssue(`unknown parameter ${name}; known are ${Object.keys(PARAMETERS).join(', ')}`);
      }
    })
    .transform((given) => given as Partial<Record<ParameterName, z.infer<T>>>);
}

/**
 * Endpoint behaviour, as in functions/load-lab/receiver/store/settings.ts; `delay_ms` can also be the
 * parameter of that name.
 */
const receiverSchema = z.record(z.string(), z.union([template, z.array(template)]));
/** Subscription settings; 0 is left out. */
const subscriptionSchema = z.strictObject({ timeout_ms: template, rate_limit: template }).partial();

const partnersSchema = z.strictObject({
  /** The group's name in the result. */
  name: z.string(),
  /**
   * How many services. `rest`: those of no other group, or one when the scenario has no parameter `services`.
   */
  services: template,
  /** Also applies during the warm-up. @default - the endpoint takes the parameter `delay_ms` */
  receiver: receiverSchema.default({ delay_ms: '{{ delay_ms }}' }),
  subscription: subscriptionSchema.default({}),
  changes: z
    .array(
      z.strictObject({
        /** Seconds of sending after the baseline; `end`: once all is sent. */
        at: template,
        /** Seconds until the endpoint behaves as at the beginning again. @default - it stays changed */
        for: template.optional(),
        receiver: receiverSchema.optional(),
        subscription: subscriptionSchema.optional(),
      }),
    )
    .default([]),
});

/** One kind of partners, and payments at a steady rate: what most experiments have. */
const ALL_ALIKE = [{ name: 'all', services: 'rest' }];
const STEADY = { phases: [{ name: 'steady', duration: '{{ duration }}', arrivalRate: '{{ rate }}' }] };
/** A fixed number of payments in progress: each user starts the next when the last one is accepted. */
const USERS = {
  phases: [{ name: 'users', duration: 1, arrivalCount: '{{ concurrency }}' }],
  is_paced: false,
  flow: [{ loop: [{ function: 'payment' }, { function: 'untilAccepted' }], whileTrue: 'isTimeLeft' }],
};

const scenarioSchema = z
  .strictObject({
    title: z.string(),
    /** The published experiment, and what it reported. */
    source: z.strictObject({ name: z.string(), url: z.url().optional(), saw: z.array(z.string()).min(1) }),
    /** Defaults; each is an option of the command. */
    parameters: byParameter(z.union([z.number(), z.string()])),
    /** Parameters with several values: each combination is a cell. */
    axes: byParameter(z.array(z.number()).min(1)).default({}),
    /** The axes with `--full`. */
    full_axes: byParameter(z.array(z.number()).min(1)).optional(),
    partners: z.array(partnersSchema).min(1).prefault(ALL_ALIKE),
    /** Pause sending on the event messages.waiting, until messages.waiting.eased. */
    stops_when_many_wait: z.boolean().default(false),
    /** `users`, or what is passed to Artillery as it is. */
    artillery: z
      .preprocess(
        (given) => (given === 'users' ? USERS : given),
        z.strictObject({
          phases: z.array(z.record(z.string(), template)).min(1),
          flow: z.array(z.unknown()).default([{ function: 'payment' }]),
          /** Whether sending must take as long as the phases do, or the run is void. */
          is_paced: z.boolean().default(true),
        }),
      )
      .prefault(STEADY),
    remarks: z.array(z.string()).default([]),
  })
  .refine(({ partners }) => partners.filter(({ services }) => services === 'rest').length === 1, {
    error: 'exactly one group of partners must have `services: rest`',
    path: ['partners'],
  })
  .superRefine(({ parameters, axes, partners, artillery }, { addIssue }) => {
    for (const name of [...namesIn(partners), ...namesIn(artillery)]) {
      if (!(name in parameters || name in axes)) {
        addIssue(`uses ${name}, which is not one of its parameters`);
      }
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

/** @throws ExplainedError when the name is unknown, listing all, or when its file is invalid */
export async function readScenario(name: string): Promise<Scenario> {
  const files = await scenarioFiles();
  const file = files.get(name);
  if (file === undefined) {
    const names = [...files.keys()].sort();
    throw new ExplainedError(`There is no scenario ${name}; the scenarios are ${names.join(', ')}`);
  }
  return scenarioOf(await readFile(file, 'utf8'), `${name}.yml`);
}

/** @throws ExplainedError that names each problem */
export function scenarioOf(text: string, file: string): Scenario {
  const read = scenarioSchema.safeParse(parse(text));
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new ExplainedError([`${file} is invalid:`, ...problems].join('\n'));
  }
  return read.data;
}
