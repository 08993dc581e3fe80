import { localAccess } from '../../../cli/stage/stage-access.ts';
import { ops } from '../operator-run.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** Runs a command of `npm run ops` on a deployed stack. */
export function opsOn({ outputs }: Pick<DeployedStack, 'outputs'>, ...args: readonly string[]) {
  return ops(args, { access: async () => localAccess(outputs) });
}
