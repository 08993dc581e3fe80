import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import type { Part } from '../../../lib/recorded-deployment.ts';
import type { Check } from './check.ts';
import type { ExaminedStage } from './examined-stage.ts';

const PAGE = path.join(PROJECT, 'docs/aws-checklist.md');

interface Item {
  readonly number: number;
  readonly heading: string;
}

/** What people have to check on AWS: the rows of the checklist that have a number. */
export function checklist(page = readFileSync(PAGE, 'utf8')): Item[] {
  return [...page.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].map(([, number, heading = '']) => ({
    number: Number(number),
    heading,
  }));
}

/** Room for `prod`: the doctor sees to the room of its own stage only. */
const ROOM_FOR_PROD = 1;
export function itemsOf({ name }: { readonly name: string }): Item[] {
  return checklist().filter(({ number }) => !(name === 'prod' && number === ROOM_FOR_PROD));
}

export interface ByHand extends Item {
  /** The doctor did a part of it. */
  readonly inPart: boolean;
}

/** The items that are left to people. */
export function byHand(items: readonly Item[], checks: readonly Check[]): ByHand[] {
  const whole = new Set(checks.flatMap((check) => check.items ?? []));
  const part = new Set(checks.flatMap((check) => check.partOf ?? []));
  return items
    .filter(({ number }) => !whole.has(number))
    .map((item) => ({ ...item, inPart: part.has(item.number) }));
}

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
