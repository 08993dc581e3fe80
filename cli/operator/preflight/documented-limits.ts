import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';

const PAGE = path.join(PROJECT, 'docs/regions.md');

/** Any region that the page does not name. */
const ELSEWHERE = 'any other';

/** The numbers of each region in the table of a section of docs/regions.md; its other regions included. */
export function documentedLimits(section: string): ReadonlyMap<string, readonly number[]> {
  const text = readFileSync(PAGE, 'utf8').split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...text.matchAll(/^\| (.+?) +\| ([\d, |]+) +\|$/gm)];
  return new Map(
    rows.flatMap(([, regions = '', numbers = '']) =>
      regions
        .split(', ')
        .map(
          (region) =>
            [
              region.replaceAll('`', ''),
              numbers.split('|').map((number) => Number(number.replaceAll(',', ''))),
            ] as const,
        ),
    ),
  );
}

export function limitsOf(region: string, section: string): readonly number[] {
  const known = documentedLimits(section);
  return known.get(region) ?? known.get(ELSEWHERE) ?? [];
}
