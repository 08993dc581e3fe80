import { DescribeTypeCommand } from '@aws-sdk/client-cloudformation';
import { type Check, judged } from '../doctor/check.ts';
import { expectedTypes } from '../doctor/stacks/stack-states.ts';
import type { PlannedStage } from './planned-stage.ts';

/** So many questions to CloudFormation at once: it takes few a second. */
const AT_ONCE = 4;

/** Whether CloudFormation of the region knows whatever the stage is made of. */
export const regionServices: Check<PlannedStage> = {
  name: 'region-services',
  async run({ clients, region, settings }) {
    const types = expectedTypes(settings);
    const left = [...types];
    const missing: string[] = [];
    const worker = async () => {
      for (let TypeName = left.shift(); TypeName !== undefined; TypeName = left.shift()) {
        try {
          await clients.cloudFormation.send(new DescribeTypeCommand({ Type: 'RESOURCE', TypeName }));
        } catch (error) {
          if ((error as Error).name !== 'TypeNotFoundException') {
            throw error;
          }
          missing.push(TypeName);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return judged(
      missing.sort().map((type) => `${region} has no ${type}`),
      `${region} has all ${types.length} types of resources`,
      `Take another region: env of the stage in lib/stages.ts, docs/regions.md. Or leave out what needs them, such as archive, fixedAddresses, managed instances or orderedBus.`,
    );
  },
};
