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

/**
 * Runs the cells one after another, round by round. An interruption returns what there is.
 *
 * @returns the findings of each round that was begun
 * @throws what `run` throws; when interrupted, only if there are no findings at all
 */
export async function runCells(
  { cells, repeat }: { readonly cells: readonly Cell[]; readonly repeat: number },
  parameters: Parameters,
  signal: AbortSignal,
  run: (parameters: Parameters, cell: Cell, round: number, isFirst: boolean) => Promise<Findings>,
): Promise<{ readonly rounds: readonly (readonly Findings[])[]; readonly isInterrupted: boolean }> {
  const rounds: Findings[][] = [];
  for (let round = 1; round <= repeat; round += 1) {
    const findings: Findings[] = [];
    for (const cell of cells) {
      try {
        const isFirst = rounds.length + findings.length === 0;
        findings.push(await run({ ...parameters, ...cell.place }, cell, round, isFirst));
      } catch (error) {
        if (!signal.aborted || rounds.length + findings.length === 0) throw error;
      }
      if (signal.aborted) {
        return { rounds: findings.length > 0 ? [...rounds, findings] : rounds, isInterrupted: true };
      }
    }
    rounds.push(findings);
  }
  return { rounds, isInterrupted: false };
}
