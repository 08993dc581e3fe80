import { DescribeTypeCommand } from '@aws-sdk/client-cloudformation';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { inRegionOf } from '../../stage/chosen-deployment.ts';
import { nameOption, wholeNumberOption } from '../../terminal/option-kinds.ts';
import { type Check, judged } from '../doctor/check.ts';
import { printed } from '../doctor/doctor-report.ts';
import { examineAll } from '../doctor/examine.ts';
import { accountOf, type StageInAccount } from '../doctor/examined-stage.ts';
import { accountRoom } from '../doctor/functions/account-room.ts';
import { stackStates } from '../doctor/stacks/stack-states.ts';
import { DEPLOYED_STAGES, operatorCommand } from '../operator-command.ts';
import { bootstrap, halfDeployed } from './deployed-so-far.ts';
import { deploymentRights } from './deployment-rights.ts';
import { expectedLayout, expectedTypes, type PlannedStage } from './expected-stage.ts';
import { busThroughput, fifoThroughput } from './throughput.ts';

/** This many questions to CloudFormation at once: it takes few a second. */
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

/** What takes longest to get comes first. */
const PREFLIGHT_CHECKS: readonly Check<PlannedStage>[] = [
  accountRoom,
  fifoThroughput,
  busThroughput,
  deploymentRights,
  regionServices,
  bootstrap,
  halfDeployed,
];

interface Preflight {
  readonly checks?: readonly Check<PlannedStage>[];
  readonly find?: (name: keyof typeof STAGES, signal: AbortSignal) => Promise<StageInAccount<Stage>>;
}

export function preflightCommand({ checks = PREFLIGHT_CHECKS, find = planned }: Preflight = {}) {
  return operatorCommand({
    name: 'preflight',
    summary: 'Check before a deployment whether account and region have what a stage needs',
    options: {
      stage: nameOption(DEPLOYED_STAGES, { default: 'dev' }),
      'events-per-second': wholeNumberOption('the load that the stage has to carry', 1, 100_000, {
        default: '100',
      }),
    },
    example: '--stage prod --events-per-second 500',
    remarks: `It says how to ask for what is missing, and changes nothing. It uses your AWS credentials, in the region of the stage (payhooks.config.ts)
or else in yours, and needs lambda:GetAccountSettings, cloudformation:DescribeStacks, DescribeStackResources and DescribeType,
iam:SimulatePrincipalPolicy.

Exit code 0: nothing is missing; 1: something is, or could not be checked; 2: it could not be run at all.`,
    errorCode: 2,
    async run(given, world) {
      const { progress, interrupted } = world;
      progress?.(`looking for account and region of ${given.stage} …`);
      const found = await find(given.stage, interrupted());
      const stage = { ...found, eventsPerSecond: given['events-per-second'] };
      return printed(found, await examineAll(checks, stage, progress), [], world);
    },
  });
}

async function planned(name: keyof typeof STAGES, signal: AbortSignal): Promise<StageInAccount<Stage>> {
  const settings = STAGES[name];
  const account = await accountOf(inRegionOf({ by: 'stage', name }), signal);
  const stacks = await stackStates(account.clients.cloudFormation, expectedLayout(settings));
  return { ...account, settings, stacks };
}
