import type { ChosenDeployment } from '../stage/chosen-deployment.ts';
import type { StageAccess } from '../stage/stage-access.ts';
import { ExplainedError } from '../terminal/explanation.ts';

/** What was typed for a command that changes something. */
export interface Wanted {
  readonly stage: ChosenDeployment;
  readonly yes: boolean;
  readonly confirm?: string | undefined;
}

interface Doing {
  /** Whether the command asks for no --yes elsewhere, because it does no harm there. */
  readonly changesAtOnce: boolean;
  access(stage: ChosenDeployment): Promise<{ readonly settings: Pick<StageAccess['settings'], 'keepsData'> }>;
}

/**
 * Keeps a command that was meant for another stage from changing one that holds real payments: deploying
 * again cannot bring back what is changed there.
 *
 * @param command of `npm run ops`
 * @throws ExplainedError unless --yes was given where it is needed, and the name of the stage typed again
 */
export async function confirmed(
  command: string,
  { stage, yes, confirm }: Wanted,
  { changesAtOnce, access }: Doing,
): Promise<void> {
  if (!(yes || changesAtOnce) || (yes && confirm === stage.name)) {
    return;
  }
  if ((await access(stage)).settings.keepsData) {
    throw new ExplainedError(
      `${stage} holds real payments. ${changesAtOnce ? 'Repeat' : 'Run the command without --yes first; then repeat'} the name of the stage: ` +
        `npm run ops -- ${command} … ${stage.option} --yes --confirm ${stage}`,
    );
  }
}
