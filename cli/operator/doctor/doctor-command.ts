import * as z from 'zod';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { ALL_CHECKS, CHECK_NAMES } from './all-checks.ts';
import type { Check } from './check.ts';
import { byHand, itemsOf } from './checklist.ts';
import { printed } from './doctor-report.ts';
import { examineAll } from './examine.ts';
import { type ExaminedStage, examinedStage } from './examined-stage.ts';

interface Doctor {
  readonly checks?: readonly Check[];
  /** @throws ExplainedError when the stage cannot be examined */
  readonly find?: (stage: ChosenDeployment, signal: AbortSignal) => Promise<ExaminedStage>;
}

export function doctorCommand({
  checks = ALL_CHECKS,
  find = (stage, signal) => examinedStage(stage, { signal }),
}: Doctor = {}) {
  return operatorCommand({
    name: 'doctor',
    synonyms: ['health', 'status'],
    summary:
      'Examine a stage from outside: is it complete, does a payment get through, does anything wait or fail',
    options: {
      ...ON_STAGE,
      only: {
        value: 'LIST',
        check: z
          .string()
          .transform((list) => list.split(',').map((name) => name.trim()))
          .refine(
            (names) => names.every((name) => CHECK_NAMES.includes(name)),
            `must be of ${CHECK_NAMES.join(', ')}, joined by commas`,
          ),
        help: 'only these checks, joined by commas',
      },
    },
    example: '--stage dev --only stacks,end-to-end',
    remarks: `Checks: ${CHECK_NAMES.join(', ')}

end-to-end makes a token and a subscription of the service doctor, publishes one event of a made-up payment, and removes token
and subscription again. All other checks only read. It uses your AWS credentials; docs/operations.md lists the permissions.

Exit code 0: nothing failed; 1: something failed or could not be checked; 2: it could not be run at all.`,
    errorCode: 2,
    async run({ stage: chosen, only }, world) {
      const { progress, interrupted } = world;
      progress?.(`looking for ${chosen} …`);
      const stage = await find(chosen, interrupted());
      const wanted = checks.filter((check) => only?.includes(check.name) ?? true);
      // The items left to people belong to a whole examination, and do not exist on the emulator.
      const isWhole = only === undefined && !stage.settings.emulated;
      const left = isWhole ? byHand(itemsOf(stage.settings), checks) : [];
      return printed(stage, await examineAll(wanted, stage, progress), left, world);
    },
  });
}
