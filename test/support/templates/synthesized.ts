import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { Payhooks } from '../../../lib/payhooks.ts';
import type { PayhooksProps } from '../../../lib/payhooks-props.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { templateFolder } from '../../stacks/setup/template-folder.ts';

const { context } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../cdk.json'), 'utf8'));
/** Bundles do not affect the templates, and take seconds. */
const WITHOUT_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

/**
 * An app with the project's own feature flags.
 *
 * @param isValidated by the CDK's rules, which take half of a synthesis, and each stage has when the CI synthesizes it
 */
export function testApp({ isValidated = false } = {}): App {
  return new App({
    context: { ...context, ...WITHOUT_BUNDLES },
    builtinCloudFormationValidation: isValidated,
    // Where each resource was made: a fifth of a synthesis.
    stackTraces: false,
  });
}

/** A stage that uses keys that AWS owns. */
export const WITHOUT_KEY: Stage = { ...STAGES.dev, customerManagedKey: false };

type Templates = Record<keyof ReturnType<typeof addPayhooks>, Template>;

/**
 * The templates of a stage. The first test to ask synthesizes them, which takes seconds; the others read
 * them.
 */
export function synthesized(name: keyof typeof STAGES | Stage): Templates {
  const stage = typeof name === 'string' ? STAGES[name] : name;
  const folder = templateFolder();
  if (folder === undefined) {
    return templatesOf(synthesize(stage));
  }
  const file = path.join(folder, `${createHash('sha256').update(JSON.stringify(stage)).digest('hex')}.json`);
  if (!existsSync(file)) {
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(synthesize(stage)));
    renameSync(unfinished, file);
  }
  return templatesOf(JSON.parse(readFileSync(file, 'utf8')));
}

type Documents = Record<string, Record<string, unknown>>;

function synthesize(stage: Stage): Documents {
  const stacks = Object.entries(addPayhooks(testApp(), stage));
  return Object.fromEntries(stacks.map(([part, stack]) => [part, Template.fromStack(stack).toJSON()]));
}

function templatesOf(documents: Documents): Templates {
  const parts = Object.entries(documents);
  return Object.fromEntries(parts.map(([part, one]) => [part, Template.fromJSON(one)])) as Templates;
}

/** Where a stack of a test goes, when it matters. */
export const HERE = { account: '111122223333', region: 'eu-west-1' };

/** A stack of somebody's own app, with Payhooks in it. */
export function shopWith(
  props: PayhooksProps | ((stack: Stack) => PayhooksProps) = {},
  {
    context = {},
    id = 'Webhooks',
    ...stackProps
  }: StackProps & { readonly context?: Record<string, unknown>; readonly id?: string } = {},
) {
  const app = testApp();
  for (const [name, value] of Object.entries(context)) {
    app.node.setContext(name, value);
  }
  const stack = new Stack(app, 'Shop', stackProps);
  const webhooks = new Payhooks(stack, id, typeof props === 'function' ? props(stack) : props);
  return { app, stack, webhooks, template: () => Template.fromStack(stack) };
}

// biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are types of resources
type Properties = any;

/** The properties of all resources of a type (`AWS::` is left out of it) whose logical ids begin so. */
export function propertiesOf(template: Template, type: string, begins = ''): Properties[] {
  return Object.entries(template.findResources(`AWS::${type}`))
    .filter(([id]) => id.startsWith(begins))
    .map(([, { Properties }]) => Properties);
}

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Properties;
}

/** What the policies of roles say whose logical ids begin so. CDK makes a second one of what is too long. */
export function statementsOf(template: Template, role = ''): Statement[] {
  return ['IAM::Policy', 'IAM::ManagedPolicy']
    .flatMap((type) => propertiesOf(template, type))
    .filter(({ Roles }) => Roles?.[0].Ref.startsWith(role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** Actions of a statement, which may be one. */
export function actionsOf({ Action }: Pick<Statement, 'Action'>): string[] {
  return [Action].flat();
}

/** Synthesizes a stage under the eyes of cdk-nag. @throws when it finds something */
export function nagged(stage: Stage): void {
  const app = testApp({ isValidated: true });
  addPayhooks(app, stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  app.synth();
}
