import type { StageInAccount } from '../doctor/examined-stage.ts';

/** A stage that is to be deployed, for the first time or once more. */
export interface PlannedStage extends StageInAccount {
  /** What it is to carry. */
  readonly eventsPerSecond: number;
}
