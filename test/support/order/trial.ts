import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Checker } from './checkers.ts';
import type { Received } from './traffic.ts';
import type { Verdict } from './truth.ts';

/** Webhooks in a file, for checkers in any language: each reads it once. */
export interface Trial<Name extends string> {
  readonly parts: Readonly<Record<Name, Part>>;
  /** Where a checker says something else: how often, and the first of them by line of the file. */
  errorsOf(checker: Checker): Promise<Record<Name, { count: number; first: string[] }>>;
  end(): Promise<void>;
}

interface Part {
  /** Its first line, from 0. */
  readonly from: number;
  readonly verdicts: Verdict[];
  /** What there is among its webhooks: verdicts, with the members that say more, such as `gap late`. */
  readonly kinds: Set<string>;
}

export async function trialOf<Name extends string>(
  traffic: Readonly<Record<Name, Iterable<Received>>>,
): Promise<Trial<Name>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'traffic-'));
  const file = path.join(folder, 'webhooks.jsonl');
  const handle = await open(file, 'w');
  const named: [string, Part][] = [];
  let from = 0;
  for (const [name, webhooks] of Object.entries<Iterable<Received>>(traffic)) {
    const part: Part = { from, verdicts: [], kinds: new Set() };
    let lines: string[] = [];
    for (const received of webhooks) {
      part.verdicts.push(received.verdict);
      part.kinds.add(kindOf(received));
      lines.push(`{"of":"${received.of}","webhook":${received.body}}\n`);
      if (lines.length === 10_000) {
        await handle.write(lines.join(''));
        lines = [];
      }
    }
    await handle.write(lines.join(''));
    named.push([name, part]);
    from += part.verdicts.length;
  }
  await handle.close();
  return {
    parts: Object.fromEntries(named) as Record<Name, Part>,
    async errorsOf(checker) {
      const given = await checker.verdictsOn(file);
      if (given.length !== from) {
        throw new Error(`${checker.language} gave ${given.length} verdicts on ${from} webhooks`);
      }
      const errors = named.map(([name, part]) => [name, errorsIn(part, given)]);
      return Object.fromEntries(errors);
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

function errorsIn({ from, verdicts }: Part, given: readonly string[]): { count: number; first: string[] } {
  const wrong = verdicts.flatMap((verdict, index) => {
    const line = from + index;
    return given[line] === verdict ? [] : [`line ${line + 1}: ${given[line]} instead of ${verdict}`];
  });
  return { count: wrong.length, first: wrong.slice(0, 5) };
}

function kindOf({ body, verdict }: Received): string {
  const { sequence, position, gap_before, late } = JSON.parse(body);
  const isUnplaced = sequence !== undefined && position === undefined;
  return [verdict, gap_before && 'gap_before', late && 'late', isUnplaced && 'unplaced']
    .filter(Boolean)
    .join(' ');
}
