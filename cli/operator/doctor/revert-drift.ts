import type { Part } from '../../../lib/recorded-deployment.ts';
import type { ExaminedStage } from './examined-stage.ts';

type Deployed = Pick<ExaminedStage, 'deployment' | 'settings' | 'parts'>;

/**
 * How to put back what somebody has changed by hand. A plain `cdk deploy` skips a stack whose template has
 * not changed, whatever the resources are like.
 *
 * @param parts what it can be in. @default - all
 */
export function revertDrift(stage: Deployed, ...parts: readonly Part[]): string {
  const { command, settings } = deploying(stage, ...parts);
  const only = parts.length === 0 ? '' : ' --exclusively';
  return `${command}${only} --revert-drift${settings}, with the deployed version checked out (docs/operations.md#changed-by-hand)`;
}

/**
 * How to deploy parts of a stage again.
 *
 * @param parts @default - all
 */
export function deployAgain(stage: Deployed, ...parts: readonly Part[]): string {
  const { command, settings } = deploying(stage, ...parts);
  return `${command}${settings}`;
}

function deploying({ deployment, settings: { name }, parts: all }: Deployed, ...parts: readonly Part[]) {
  const isOurApp = all.data?.stack === `${deployment}-data`;
  const wanted = parts.length === 0 ? (Object.keys(all) as Part[]) : parts;
  const paths = new Set(wanted.flatMap((part) => all[part]?.path ?? []));
  return {
    command: `npx cdk deploy ${isOurApp && parts.length === 0 ? '--all' : [...paths].join(' ')}`,
    // Another app than ours has settings of its own, and maybe other stacks.
    settings: isOurApp ? ` -c stage=${name}` : '',
  };
}
