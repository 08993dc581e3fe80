import { faultOfPattern } from '../../functions/core/catalogue/catalogue.ts';
import { NOT_A_TYPE_PATTERN, TYPE_PATTERN } from '../../functions/core/catalogue/event-type.ts';
import type { EventCatalogue } from './event-catalogue.ts';

/** More names help nobody who has mistyped one. */
const MAX_LISTED = 12;

/**
 * What the API would say of a pattern of event types, and how to mend it. Undefined if it matches a type.
 * Begins with the pattern.
 */
export function faultOfEventType(pattern: string, { types, catalogue }: EventCatalogue): string | undefined {
  const shown = JSON.stringify(pattern.slice(0, 100));
  if (!TYPE_PATTERN.test(pattern)) {
    return `${shown} given: ${NOT_A_TYPE_PATTERN}`;
  }
  if (faultOfPattern(pattern, catalogue) === undefined) {
    return undefined;
  }
  const names = types.map(({ name }) => name);
  const nearest = names.reduce((best, name) =>
    distanceOf(pattern, name) < distanceOf(pattern, best) ? name : best,
  );
  const others = names.slice(0, MAX_LISTED).join(', ');
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `${shown} matches no event type. Did you mean ${nearest}? There are ${others}${more}`;
}

/** Of a prefix, to as much of the name. */
function distanceOf(pattern: string, name: string): number {
  const prefix = pattern.slice(0, -1);
  return pattern.endsWith('*') ? edits(prefix, name.slice(0, prefix.length)) : edits(pattern, name);
}

/** The number of characters to add, remove or replace. Source: Wagner and Fischer, 1974. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const replaced = row[index - 1]! + (character === other[index - 1] ? 0 : 1);
      next.push(Math.min(row[index]! + 1, next[index - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[other.length]!;
}
