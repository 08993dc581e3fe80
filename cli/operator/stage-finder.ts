import type { ChosenDeployment } from '../stage/chosen-deployment.ts';
import { type ExaminedStage, examinedStage } from './doctor/examined-stage.ts';

/** @throws ExplainedError when nothing of the stage is deployed */
export type StageFinder = (stage: ChosenDeployment) => Promise<ExaminedStage>;

export const findStage: StageFinder = (stage) => examinedStage(stage);
