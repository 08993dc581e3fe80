import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import type { Check } from './check.ts';

const PAGE = path.join(PROJECT, 'docs/aws-checklist.md');

export interface Item {
  readonly number: number;
  readonly heading: string;
}

/** What people have to check on AWS: the items of the checklist. */
export function checklist(page = readFileSync(PAGE, 'utf8')): Item[] {
  return [...page.matchAll(/^- \*\*(\d+)\. (.+?)\.\*\*/gm)].map(([, number, heading = '']) => ({
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
