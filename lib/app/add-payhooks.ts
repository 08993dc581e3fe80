import { type App, CfnOutput, CliCredentialsStackSynthesizer, Fn, Stack, Tags } from 'aws-cdk-lib';
import { valuesOf } from '../deployment-record.ts';
import { Payhooks } from '../payhooks.ts';
import type { PayhooksScopes } from '../payhooks-props.ts';
import type { Stage } from './stage.ts';

/** A stack of our own app, with one part of Payhooks. */
class PartStack extends Stack {
  /** The first two zones of the region. CloudFormation resolves them, so synthesis needs no AWS call. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }
}

/** Gives the stack of each part as outputs what its record says, for people and tests. */
function addOutputs(
  values: ReturnType<typeof valuesOf>,
  { loadLab, ...others }: Readonly<Record<string, Stack | undefined>>,
): void {
  const stacks: typeof others = { ...others, 'load-lab': loadLab };
  for (const [part, outputs] of Object.entries(values)) {
    const stack = stacks[part];
    for (const [name, value] of Object.entries(outputs ?? {})) {
      if (stack !== undefined && value !== undefined) {
        new CfnOutput(stack, name, { value });
      }
    }
  }
}

/** The stack of each part: its id, the end of its name, and what is in it. */
const STACKS = {
  data: ['Data', 'data', 'subscriptions, secrets, tokens, ordering keys and the history'],
  pipeline: ['Pipeline', 'pipeline', 'from the bus to the partner'],
  archive: ['Archive', 'archive', 'the attempts of all messages in S3, for SQL'],
  api: ['Api', 'api', 'the HTTP API for partners, and the doctor'],
  loadLab: ['LoadLab', 'load-lab', 'a simulated receiver of webhooks, for load runs'],
  observability: ['Observability', 'observability', 'alarms and the dashboard'],
  people: ['People', 'people', 'roles and saved queries for analysts and the person on call'],
} as const satisfies Record<keyof PayhooksScopes, readonly [string, string, string]>;

type Stacks = Record<Exclude<keyof PayhooksScopes, 'archive' | 'loadLab'>, PartStack> & {
  archive?: PartStack;
  loadLab?: PartStack;
};

/**
 * Adds a stage of our own app: Payhooks with each part in a stack of its own, named `payhooks-<stage>-<part>`,
 * so that a deployment of code touches no stack with data.
 *
 * @throws when the name is too long
 */
export function addPayhooks(app: App, stage: Stage): Stacks {
  const absent = { archive: stage.archive === undefined, loadLab: !stage.loadLab };
  const entries = Object.entries(STACKS).filter(([part]) => absent[part as keyof typeof absent] !== true);
  const stacks = Object.fromEntries(
    entries.map(([part, [id, end, description]]) => [
      part,
      new PartStack(app, id, {
        stackName: `payhooks-${stage.name}-${end}`,
        description: `Payhooks (${stage.name}): ${description}`,
        terminationProtection: stage.keepsData,
        ...(stage.env === undefined ? {} : { env: stage.env }),
        // The emulator denies the bootstrap roles access to their own bucket.
        ...(stage.emulated ? { synthesizer: new CliCredentialsStackSynthesizer() } : {}),
      }),
    ]),
  ) as Stacks;
  const { tags, env: _, ...settings } = stage;
  const payhooks = new Payhooks(app, 'Payhooks', { ...settings, scopes: stacks });
  addOutputs(valuesOf(payhooks.parts, stage), stacks);
  for (const [name, value] of Object.entries({ ...tags, project: 'payhooks', stage: stage.name })) {
    Tags.of(app).add(name, value);
  }
  return stacks;
}
