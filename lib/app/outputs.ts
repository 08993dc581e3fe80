import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { valuesOf } from '../deployment-record.ts';

/** Gives the stack of each part as outputs what its record says, for people and tests. */
export function addOutputs(
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
