import { DescribeTypeCommand } from '@aws-sdk/client-cloudformation';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { type Check, judged } from '../doctor/check.ts';
import { expectedTypes } from './expected-stage.ts';
import type { PlannedStage } from './planned-stage.ts';

/** So many questions to CloudFormation at once: it takes few a second. */
const AT_ONCE = 4;

/** Whether CloudFormation of the region knows whatever the stage is made of. */
export const regionServices: Check<PlannedStage> = {
  name: 'region-services',
  async run({ clients, region, settings }) {
    const types = expectedTypes(settings);
    const isMissing = async (TypeName: string) => {
      try {
        await clients.cloudFormation.send(new DescribeTypeCommand({ Type: 'RESOURCE', TypeName }));
        return [];
      } catch (error) {
        if ((error as Error).name !== 'TypeNotFoundException') {
          throw error;
        }
        return [TypeName];
      }
    };
    const missing: string[] = [];
    for (const some of chunks(types, AT_ONCE)) {
      missing.push(...(await Promise.all(some.map(isMissing))).flat());
    }
    return judged(
      missing.map((type) => `${region} has no ${type}`),
      `${region} has all ${types.length} types of resources`,
      `Take another region: env of the stage in payhooks.config.ts, docs/regions.md. Or leave out what needs them, such as archive or fixedAddresses.`,
    );
  },
};
