import type { Stage } from '../../../lib/app/stage.ts';
import type { StageInAccount } from '../doctor/examined-stage.ts';

/** A stage that will be deployed, for the first time or again. */
export interface PlannedStage extends StageInAccount<Stage> {
  /** What it is to carry. */
  readonly eventsPerSecond: number;
}
