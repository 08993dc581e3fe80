import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../lib/payhooks.ts';
import { STAGES, type Stage } from '../../lib/stages.ts';

const { context } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../cdk.json'), 'utf8'));
/** What the functions are bundled into is no matter of the templates, and takes seconds. */
const WITHOUT_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

/** An app with the project's own feature flags. */
export function testApp(): App {
  return new App({ context: { ...context, ...WITHOUT_BUNDLES } });
}

/** A stage that leaves encryption to keys that AWS owns. */
export const WITHOUT_KEY: Stage = { ...STAGES.dev, customerManagedKey: false };

/** The stacks of a stage as CloudFormation would get them. */
export function synthesized(stage: keyof typeof STAGES | Stage) {
  const stacks = addPayhooks(testApp(), typeof stage === 'string' ? STAGES[stage] : stage);
  return Object.fromEntries(
    Object.entries(stacks).map(([part, stack]) => [part, Template.fromStack(stack)]),
  ) as Record<keyof typeof stacks, Template>;
}
