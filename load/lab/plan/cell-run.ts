import type { MeteredRun, Metering } from '../../cost/cost-of-run.ts';
import type { Parameters } from '../scenario/parameters.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import type { Progress } from '../watch/progress.ts';
import type { Cell } from './cells.ts';

/** Counts what our code asks of AWS while a cell is measured, and how hard it works. */
export interface Meter {
  start(): void;
  stop(): void;
  /** What was done for the run between the two. */
  read(run: MeteredRun): Promise<Metering>;
}

export interface CellRun {
  readonly stage: LabStage;
  readonly scenario: Scenario;
  readonly parameters: Parameters;
  readonly cell: Cell;
  /** Workers are up already. */
  readonly isWarm: boolean;
  /** Begins the names of everything it makes: letters and digits. */
  readonly run: string;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly meter?: Meter;
  /** Hears once where to ask how the run stands. */
  watch(health: () => Progress): () => void;
  say(line: string): void;
}
