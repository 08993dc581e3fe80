import { type Check, failed, ok } from '../doctor/check.ts';
import { isBroken } from '../doctor/stacks/stacks.ts';
import { waysOut } from '../doctor/stacks/way-out.ts';
import type { PlannedStage } from './planned-stage.ts';

/** Whether an earlier deployment was left half-way: CloudFormation updates no such stack. */
export const halfDeployed: Check<PlannedStage> = {
  name: 'half-deployed',
  async run({ stacks, settings }) {
    const underWay = stacks.filter(({ status }) => status?.endsWith('_IN_PROGRESS'));
    const broken = stacks.filter(isBroken);
    if (underWay.length > 0) {
      return failed(
        underWay.map(({ stackName, status }) => `${stackName} is ${status}`).join(', '),
        'A deployment is under way: wait until it has ended.',
      );
    }
    if (broken.length > 0) {
      return failed(
        broken.map(({ stackName, status }) => `${stackName} is ${status}`).join(', '),
        ...waysOut(broken, settings),
      );
    }
    const there = stacks.filter(({ status }) => status !== undefined).length;
    return ok(
      there === 0
        ? 'nothing of the stage is there yet'
        : `${there} of ${stacks.length} stacks are there, all complete`,
    );
  },
};
