import type { Findings } from '../findings/findings.ts';
import type { ParameterName, Parameters } from '../scenario/parameters.ts';

/** One combination of the axes' values; with no axes the only one. */
export interface Cell {
  readonly name: string;
  readonly place: Readonly<Record<string, number>>;
}

export function cellsOf(axes: Readonly<Partial<Record<ParameterName, readonly number[]>>>): Cell[] {
  return Object.entries(axes).reduce<Cell[]>(
    (cells, [axis, values]) =>
      cells.flatMap(({ place }) =>
        values.map((value) => {
          const here = { ...place, [axis]: value };
          const name = Object.entries(here)
            .map(([axis, value]) => `${axis} ${value}`)
            .join(', ');
          return { name, place: here };
        }),
      ),
    [{ name: 'all', place: {} }],
  );
}

/** What is kept of cells between runs. */
export interface CellStore {
  /** Undefined when this cell has not been run to its end. */
  find(cell: Cell, round: number): Promise<Findings | undefined>;
  keep(cell: Cell, round: number, findings: Findings): Promise<void>;
}

export interface Rounds {
  readonly cells: readonly Cell[];
  /** How often all of them are run. */
  readonly repeat: number;
  /** Whether those of a round that are done make the rest of it needless. @default - never */
  isEnough?(findings: readonly Findings[]): boolean;
}

/**
 * Runs the cells one after another, all of a round before the next round; those that are kept are not run again. An interruption ends it with what there is;
 * a cell that it struck is not kept.
 *
 * @returns the findings of each round that was begun
 * @throws what `run` throws; when it was interrupted, only if there is nothing at all
 */
export async function runCells(
  { cells, repeat, isEnough = () => false }: Rounds,
  parameters: Parameters,
  { store, signal }: { readonly store: CellStore; readonly signal: AbortSignal },
  run: (parameters: Parameters, cell: Cell, round: number, isFirst: boolean) => Promise<Findings>,
): Promise<{ readonly rounds: readonly (readonly Findings[])[]; readonly isInterrupted: boolean }> {
  const rounds: Findings[][] = [];
  let isFirst = true;
  for (let round = 1; round <= repeat; round += 1) {
    const findings: Findings[] = [];
    for (const cell of cells) {
      if (isEnough(findings)) break;
      const kept = await store.find(cell, round);
      if (kept === undefined) {
        try {
          const found = await run({ ...parameters, ...cell.place }, cell, round, isFirst);
          isFirst = false;
          findings.push(found);
          if (!found.is_interrupted) await store.keep(cell, round, found);
        } catch (error) {
          if (!signal.aborted || rounds.length + findings.length === 0) throw error;
        }
      } else {
        findings.push(kept);
      }
      if (signal.aborted) {
        return { rounds: findings.length > 0 ? [...rounds, findings] : rounds, isInterrupted: true };
      }
    }
    rounds.push(findings);
  }
  return { rounds, isInterrupted: false };
}
