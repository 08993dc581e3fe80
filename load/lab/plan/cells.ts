import type { Findings } from '../findings/findings.ts';
import type { ParameterName, Parameters } from '../scenario/parameters.ts';

/** One combination of axis values; the only one when there are no axes. */
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

/** Stores findings of cells, so that an interrupted run can continue. */
export interface CellStore {
  /** Undefined when this cell has not finished. */
  find(cell: Cell, round: number): Promise<Findings | undefined>;
  keep(cell: Cell, round: number, findings: Findings): Promise<void>;
}

interface Rounds {
  readonly cells: readonly Cell[];
  /** Repetitions of all cells. */
  readonly repeat: number;
  /** Whether the remaining cells of a round are unnecessary. @default - never */
  isEnough?(findings: readonly Findings[]): boolean;
}

/**
 * Runs the cells one after another, round by round. Stored cells are not run again. An interruption returns
 * what there is; the interrupted cell is not stored.
 *
 * @returns the findings of each round that was begun
 * @throws what `run` throws; when interrupted, only if there are no findings at all
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
      const stored = await store.find(cell, round);
      if (stored === undefined) {
        try {
          const found = await run({ ...parameters, ...cell.place }, cell, round, isFirst);
          isFirst = false;
          findings.push(found);
          if (!found.is_interrupted) await store.keep(cell, round, found);
        } catch (error) {
          if (!signal.aborted || rounds.length + findings.length === 0) throw error;
        }
      } else {
        findings.push(stored);
      }
      if (signal.aborted) {
        return { rounds: findings.length > 0 ? [...rounds, findings] : rounds, isInterrupted: true };
      }
    }
    rounds.push(findings);
  }
  return { rounds, isInterrupted: false };
}
