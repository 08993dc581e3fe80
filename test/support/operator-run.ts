import pc from 'picocolors';
import type { OperatorWorld } from '../../cli/operator/operator-command.ts';
import { OPS } from '../../cli/operator/ops.ts';
import type { StageAccess } from '../../cli/stage/stage-access.ts';
import type { Command } from '../../cli/terminal/command.ts';
import { readCommand, runOf } from '../../cli/terminal/run-commands.ts';

/**
 * Runs a command of `npm run ops`, as a person types it.
 *
 * @param world where no stage can be reached, but for what is given
 * @param commands @default - all there are
 */
export async function ops(
  args: readonly string[],
  world: Partial<Omit<OperatorWorld, 'access'>> & { access?: () => Promise<StageAccess> } = {},
  commands: readonly Command<OperatorWorld>[] = OPS.commands,
): Promise<{ readonly isWell: boolean; readonly printed: string }> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const isWell = await runOf({ ...OPS, commands }, args, { print }, () => ({
    access: () => Promise.reject(new Error('it has asked for a stage')),
    now: Date.now,
    colors: pc.createColors(false),
    interrupted: () => new AbortController().signal,
    ...world,
  }));
  return { isWell, printed };
}

/** The arguments and options of a command of `npm run ops`, checked. */
export function givenToOps<Given>(...args: readonly string[]): Given {
  const read = readCommand(OPS, args);
  return (read.kind === 'wanted' ? read.given : undefined) as Given;
}
