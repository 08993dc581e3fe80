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
 * Runs the cells one after another; those that are kept are not run again. An interruption ends it with what there is.
 *
 * @param run its findings say whether it was interrupted; such a cell is not kept
 */
export async function runCells(
  cells: readonly Cell[],
  parameters: Parameters,
  store: CellStore,
  run: (parameters: Parameters, cell: Cell, isFirst: boolean) => Promise<Findings>,
): Promise<Findings[]> {
  const all: Findings[] = [];
  let isFirst = true;
  for (const cell of cells) {
    const kept = await store.find(cell);
    if (kept !== undefined) {
      all.push(kept);
      continue;
    }
    const findings = await run({ ...parameters, ...cell.place }, cell, isFirst);
    isFirst = false;
    all.push(findings);
    if (findings.is_interrupted) break;
    await store.keep(cell, findings);
  }
  return all;
}
