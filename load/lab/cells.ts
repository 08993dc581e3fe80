import type { Findings } from './findings.ts';
import type { ParameterName, Parameters } from './parameters.ts';

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
  find(cell: Cell): Promise<Findings | undefined>;
  keep(cell: Cell, findings: Findings): Promise<void>;
}

/**
 * Runs the cells one after another; those that are kept are not run again. An interruption ends it with what there is; a cell that it struck is not kept.
 *
 * @throws what `run` throws; when it was interrupted, only if there is nothing at all
 */
export async function runCells(
  cells: readonly Cell[],
  parameters: Parameters,
  { store, signal }: { readonly store: CellStore; readonly signal: AbortSignal },
  run: (parameters: Parameters, cell: Cell, isFirst: boolean) => Promise<Findings>,
): Promise<{ readonly findings: readonly Findings[]; readonly isInterrupted: boolean }> {
  const findings: Findings[] = [];
  let isFirst = true;
  for (const cell of cells) {
    const kept = await store.find(cell);
    if (kept !== undefined) {
      findings.push(kept);
      continue;
    }
    try {
      const found = await run({ ...parameters, ...cell.place }, cell, isFirst);
      isFirst = false;
      findings.push(found);
      if (!found.is_interrupted) await store.keep(cell, found);
    } catch (error) {
      if (!signal.aborted || findings.length === 0) throw error;
    }
    if (signal.aborted) {
      return { findings, isInterrupted: true };
    }
  }
  return { findings, isInterrupted: false };
}
