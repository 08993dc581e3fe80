import type { StageInAccount } from '../doctor/examined-stage.ts';

/** A stage that will be deployed, for the first time or again. */
export interface PlannedStage extends StageInAccount {
  /** What it is to carry. */
  readonly eventsPerSecond: number;
}
