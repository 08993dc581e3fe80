import type { STAGES } from '../../payhooks.config.ts';
import { type ExaminedStage, examinedStage } from './doctor/examined-stage.ts';

/** @throws ExplainedError when nothing of the stage is deployed */
export type StageFinder = (stage: string) => Promise<ExaminedStage>;

export const findStage: StageFinder = (stage) => examinedStage(stage as keyof typeof STAGES);
