import { Validations } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { testApp } from './synthesized.ts';

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
  const app = testApp();
  addPayhooks(app, stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  app.synth();
}
