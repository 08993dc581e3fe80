import type { runMeter } from '../../cost/cost-of-run.ts';
import type { Parameters } from '../scenario/parameters.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import type { Progress } from '../watch/progress.ts';
import type { Cell } from './cells.ts';

/** Meters AWS calls and CPU of our code while a cell is measured. */
export type Meter = ReturnType<typeof runMeter>;

export interface CellRun {
  readonly stage: LabStage;
  readonly scenario: Scenario;
  readonly parameters: Parameters;
  readonly cell: Cell;
  /** Workers have already started. */
  readonly isWarm: boolean;
  /** Prefix of everything the run creates: letters and digits. */
  readonly run: string;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly meter?: Meter;
  /** Called once, with a function that returns the progress. */
  watch(progress: () => Progress): () => void;
  say(line: string): void;
}
