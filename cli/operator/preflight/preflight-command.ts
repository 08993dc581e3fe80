import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { inRegionOf } from '../../stage/stage-region.ts';
import { nameOption, wholeNumberOption } from '../../terminal/option-kinds.ts';
import type { Check } from '../doctor/check.ts';
import { printed } from '../doctor/doctor-report.ts';
import { examineAll } from '../doctor/examine.ts';
import { accountOf, type StageInAccount } from '../doctor/examined-stage.ts';
import { stackStates } from '../doctor/stacks/stack-states.ts';
import { DEPLOYED_STAGES, operatorCommand } from '../operator-command.ts';
import { PREFLIGHT_CHECKS } from './all-checks.ts';
import { expectedLayout } from './expected-stage.ts';
import type { PlannedStage } from './planned-stage.ts';

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
