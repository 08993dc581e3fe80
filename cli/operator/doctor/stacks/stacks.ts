import { type Check, failed, judged, ok } from '../check.ts';
import { deployAgain } from '../revert-drift.ts';
import type { StackState } from './stack-states.ts';
import { waysOut } from './way-out.ts';

/** Whether the stage is there whole: CloudFormation leaves behind what it could not finish. */
export const stacks: Check = {
  name: 'stacks',
  async run(stage) {
    const { stacks: states, settings } = stage;
    const missing = states.filter(({ status }) => status === undefined);
    const underWay = states.filter(({ status = '' }) => status.endsWith('_IN_PROGRESS'));
    const broken = states.filter(isBroken);
    if (underWay.length > 0 && broken.length === 0) {
      return failed(
        `a deployment is under way: ${underWay.map(({ stackName, status }) => `${stackName} is ${status}`).join(', ')}`,
        'Wait until it has ended, and ask again.',
      );
    }
    if (missing.length + broken.length === 0) {
      return ok(`${states.length} stacks, all complete`);
    }
    const faults = [
      ...missing.map(({ stackName }) => `${stackName} is missing`),
      ...broken.map(
        ({ stackName, status, reason }) =>
          `${stackName} is ${status}${reason === undefined ? '' : ` (${reason})`}`,
      ),
    ];
    return judged(
      faults,
      '',
      ...(missing.length === 0 ? [] : [`Deploy what is missing: ${deployAgain(stage)}`]),
      ...waysOut(broken, settings),
    );
  },
};

/** A stack that was rolled back is complete too: it is as it was before the failed deployment. */
function isWhole(status: string): boolean {
  return ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'].includes(
    status,
  );
}

/** What CloudFormation has left half-way. */
export function isBroken({ status }: StackState): boolean {
  return status !== undefined && !status.endsWith('IN_PROGRESS') && !isWhole(status);
}
