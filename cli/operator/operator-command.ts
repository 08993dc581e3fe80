import { serviceIdSchema } from '../../functions/core/api/api-token.ts';
import { STAGES } from '../../payhooks.config.ts';
import { STAGE_NAMES, type StageAccess } from '../stage/stage-access.ts';
import { commandsIn, type Options, type Output } from '../terminal/command.ts';
import { nameOption, wholeNumberOption } from '../terminal/option-kinds.ts';
import type { Colors } from './doctor/doctor-report.ts';

/** What an operator's command needs of the world around it. */
export interface OperatorWorld {
  access(stage: string): Promise<StageAccess>;
  /** In ms since 1970. */
  now(): number;
  readonly colors: Colors;
  /** For a command that has to clean up when somebody presses Ctrl-C; it ends the others at once. */
  interrupted(): AbortSignal;
}

export const DEPLOYED_STAGES = Object.values(STAGES)
  .filter(({ emulated }) => !emulated)
  .map(({ name }) => name as keyof typeof STAGES);

export type World = OperatorWorld & Output;

export const operatorCommand = commandsIn<OperatorWorld>();

/** For a command that only looks. */
export const ON_STAGE = {
  stage: nameOption(STAGE_NAMES, { default: 'local' }),
} as const satisfies Options;

/** For a command that changes something. */
export const CHANGES_STAGE = {
  yes: { help: 'do it; without it, the command only says what it would do' },
  ...ON_STAGE,
  confirm: { value: 'NAME', help: 'needed with --yes on prod: the name of the stage again' },
} as const satisfies Options;

export const SERVICE = {
  check: serviceIdSchema,
  help: 'id of the service, as payment events carry it in service_id',
} as const;

export function limit(byDefault: number, help: string, max = 1_000) {
  return {
    limit: wholeNumberOption(help, 1, max, { default: String(byDefault) }),
  } as const satisfies Options;
}
