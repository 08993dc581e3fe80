import * as z from 'zod';
import { serviceIdSchema } from '../../functions/core/api/api-token.ts';
import { DEPLOYMENT_NAME } from '../../lib/recorded-deployment.ts';
import { STAGES } from '../../payhooks.config.ts';
import { type ChosenDeployment, chosenDeployment } from '../stage/chosen-deployment.ts';
import type { StageAccess } from '../stage/stage-access.ts';
import type { Arguments, Command, Given, Options, Output } from '../terminal/command.ts';
import { wholeNumberOption } from '../terminal/option-kinds.ts';
import { confirmed, type Wanted } from './confirmed.ts';
import type { Colors } from './doctor/doctor-report.ts';

/** What an operator's command needs of the world around it. */
export interface OperatorWorld {
  access(stage: ChosenDeployment): Promise<StageAccess>;
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

const NAME = z
  .string()
  .regex(DEPLOYMENT_NAME, 'must be the name of a deployment: letters, digits, ".", "_" and "-"');

/** For a command that only looks. */
export const ON_STAGE = {
  stage: {
    value: 'NAME',
    check: NAME,
    help: 'a stage of our own app, such as dev or prod (default: PAYHOOKS_STACK, or local)',
  },
  stack: {
    value: 'NAME',
    check: NAME,
    help: 'any deployment in the account and region: its name, or that of a stack which holds one',
  },
} as const satisfies Options;

/** For a command that changes something. */
export const CHANGES_STAGE = {
  yes: { help: 'do it; without it, the command only says what it would do' },
  ...ON_STAGE,
  confirm: {
    value: 'NAME',
    help: 'needed with --yes on prod, and wherever data is kept: the name that chose it again',
  },
} as const satisfies Options;

/** What a person typed, with the deployment that they mean as `stage`. */
type OnDeployment<Typed> = Typed extends { readonly stack: unknown }
  ? Omit<Typed, 'stage' | 'stack'> & { readonly stage: ChosenDeployment }
  : Typed;

interface OperatorCommand<A extends Arguments, O extends Options>
  extends Omit<Command<OperatorWorld>, 'arguments' | 'options' | 'check' | 'run'> {
  readonly arguments?: A;
  readonly options?: O;
  /** Needs no --yes where deploying again brings back what it changes. */
  readonly changesAtOnce?: boolean;
  /** @throws ExplainedError when options do not go together */
  check?(given: OnDeployment<Given<A, O>>): void;
  run(given: OnDeployment<Given<A, O>>, world: World): Promise<boolean>;
}

/**
 * A command of `npm run ops`. One that changes something runs on a deployment that keeps its data only once
 * its name was typed again.
 */
export function operatorCommand<
  const A extends Arguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>({
  check = () => {},
  run,
  changesAtOnce = false,
  ...command
}: OperatorCommand<A, O>): Command<OperatorWorld> {
  const { options = {} } = command;
  type Typed = Parameters<Command<OperatorWorld>['run']>[0];
  const chosen = (typed: Typed): OnDeployment<Given<A, O>> => {
    const { stage, stack, ...others } = typed as Typed & { readonly stage?: string; readonly stack?: string };
    const given =
      'stack' in options ? { ...others, stage: chosenDeployment({ stage, stack }, process.env) } : typed;
    // The types of options and of what was typed only meet in `Given`.
    return given as OnDeployment<Given<A, O>>;
  };
  return {
    ...command,
    check: (typed) => check(chosen(typed)),
    async run(typed, world) {
      const given = chosen(typed);
      if ('confirm' in options) {
        await confirmed(command.name, given as Wanted & typeof given, {
          changesAtOnce,
          access: world.access,
        });
      }
      return run(given, world);
    },
  };
}

export const SERVICE = {
  check: serviceIdSchema,
  help: 'id of the service, as payment events carry it in service_id',
} as const;

export function limit(byDefault: number, help: string, max = 1_000) {
  return {
    limit: wholeNumberOption(help, 1, max, { default: String(byDefault) }),
  } as const satisfies Options;
}
