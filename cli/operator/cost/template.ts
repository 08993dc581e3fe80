import { App, Stack } from 'aws-cdk-lib';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';

export interface Resource {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are types of resources
  readonly properties: any;
}

/** What a stage is made of. Its functions are not bundled for that. */
export function resourcesOf(stage: Stage): Resource[] {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
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
