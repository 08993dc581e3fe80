import type { StageAccess } from '../stage/stage-access.ts';

/** What a command needs of the world around it. */
export interface Surroundings {
  access(stage: string): Promise<StageAccess>;
  print(text: string): void;
  /** Absent where nobody watches. */
  readonly progress?: (line: string) => void;
}
