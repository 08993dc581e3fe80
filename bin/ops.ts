import pc from 'picocolors';
import { refusalIn, remedyOf } from '../cli/operator/doctor/permissions/refusal.ts';
import { OPS } from '../cli/operator/ops.ts';
import { stageAccess } from '../cli/stage/stage-access.ts';
import { runCommands } from '../cli/terminal/run-commands.ts';
import { interruption } from '../local/interruption.ts';

export async function runOps(args: readonly string[]): Promise<void> {
  let signal: AbortSignal | undefined;
  await runCommands(
    OPS,
    () => ({
      access: stageAccess,
      now: Date.now,
      colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY),
      interrupted() {
        signal ??= interruption(() => {});
        return signal;
      },
    }),
    {
      args,
      signal: () => signal,
      remedy(error) {
        const refusal = refusalIn(error);
        return refusal === undefined ? undefined : remedyOf(refusal);
      },
    },
  );
}
