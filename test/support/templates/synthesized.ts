import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { templateFolder } from '../../stacks/setup/template-folder.ts';

const { context } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../cdk.json'), 'utf8'));
/** Bundles do not affect the templates, and take seconds. */
const WITHOUT_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

/** An app with the project's own feature flags. */
export function testApp(): App {
  return new App({ context: { ...context, ...WITHOUT_BUNDLES } });
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
