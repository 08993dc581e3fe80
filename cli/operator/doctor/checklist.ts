import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from '../../../lib/stage.ts';
import type { Check } from './check.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/aws-checklist.md');

export interface Item {
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

/** The item on managed instances: the first one, and only for a stage that has such instances. */
const ON_INSTANCES = 0;
/** Room for `prod`: the doctor sees to the room of its own stage only. */
const ROOM_FOR_PROD = 1;
/** Only for a stage that has an ordered bus. */
const ORDERED_BUS = 40;

export function itemsOf({
  name,
  compute,
  orderedBus,
}: Pick<Stage, 'name' | 'compute' | 'orderedBus'>): Item[] {
  const others = new Set([
    ...(compute === 'managed-instances' ? [] : [ON_INSTANCES]),
    ...(name === 'prod' ? [ROOM_FOR_PROD] : []),
    ...(orderedBus === undefined ? [ORDERED_BUS] : []),
  ]);
  return checklist().filter(({ number }) => !others.has(number));
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
