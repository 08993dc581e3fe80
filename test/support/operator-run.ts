import pc from 'picocolors';
import type { OperatorWorld } from '../../cli/operator/operator-command.ts';
import { OPS } from '../../cli/operator/ops.ts';
import type { ChosenDeployment } from '../../cli/stage/chosen-deployment.ts';
import type { StageAccess } from '../../cli/stage/stage-access.ts';
import type { Command } from '../../cli/terminal/command.ts';
import { readCommand, runOf } from '../../cli/terminal/run-commands.ts';
import { deploymentSettings } from '../../lib/deployment-record.ts';
import { STAGES } from '../../payhooks.config.ts';

/**
 * Runs a command of `npm run ops`, as a person types it.
 *
 * @param world where nothing of a stage can be reached but its settings, and what is given
 * @param commands @default - all there are
 */
export async function ops(
  args: readonly string[],
  {
    access = async () => UNREACHABLE,
    ...world
  }: Partial<Omit<OperatorWorld, 'access'>> & { access?: () => Promise<StageAccess> } = {},
  commands: readonly Command<OperatorWorld>[] = OPS.commands,
): Promise<{ readonly isWell: boolean; readonly printed: string }> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const isWell = await runOf({ ...OPS, commands }, args, { print }, () => ({
    access: async (chosen) => accessTo(chosen, await access()),
    now: Date.now,
    colors: pc.createColors(false),
    interrupted: () => new AbortController().signal,
    ...world,
  }));
  return { isWell, printed };
}

const UNREACHABLE = {} as StageAccess;

function accessTo({ name }: ChosenDeployment, access: StageAccess): StageAccess {
  const settings = access.settings ?? deploymentSettings(STAGES[name as keyof typeof STAGES] ?? STAGES.local);
  return access === UNREACHABLE
    ? new Proxy({ settings } as StageAccess, {
        get(target, property) {
          if (property === 'settings' || property === 'then') {
            return Reflect.get(target, property);
          }
          throw new Error('it has asked for a stage');
        },
      })
    : { ...access, settings };
}

/** The arguments and options of a command of `npm run ops`, checked. */
export function givenToOps<Given>(...args: readonly string[]): Given {
  const read = readCommand(OPS, args);
  return (read.kind === 'wanted' ? read.given : undefined) as Given;
}
