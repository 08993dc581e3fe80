type Part = 'data' | 'pipeline' | 'api' | 'archive' | 'observability' | 'people';

/**
 * How to put back what somebody has changed by hand. A plain `cdk deploy` skips a stack whose template has
 * not changed, whatever the resources are like.
 *
 * @param parts the stacks that it can be in. @default - all
 */
export function revertDrift(stageName: string, ...parts: readonly Part[]): string {
  const stacks = parts.map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`).join(' ');
  const which = stacks === '' ? '--all' : `${stacks} --exclusively`;
  return `npx cdk deploy ${which} --revert-drift -c stage=${stageName}, with the deployed version checked out (docs/operations.md#changed-by-hand)`;
}
