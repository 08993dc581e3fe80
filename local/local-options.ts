import * as z from 'zod';
import { commandOptions, numberOption } from '../cli/terminal/command-options.ts';
import { ExplainedError } from '../cli/terminal/explained-error.ts';

export const DEFAULT_PORT = 4566;

export const LOCAL_HELP = `Starts an AWS emulator on this machine and deploys Payhooks to it.

  npm start              with a demonstration
  npm run local          until Ctrl-C, for tools: .local/outputs.json is there when all is ready

  --port N               where the emulator listens, on loopback only (default: ${DEFAULT_PORT})
  --slow-store           put a proxy before DynamoDB and SQS, which load runs make slow or let fail
  --workers N            deliver so many batches at a time at most (default: 50)
  --separate-processes   a process for each invocation, as on Lambda: some 70 MB each
  --archive              write attempts to files too, as stages with an archive do: docs/archive.md
  --demo                 subscribe three receivers, send payments for a minute, show what happens
  --help

Needs Python 3.10 or newer; the first start installs the emulator into .local/python/venv.
`;

const optionsSchema = z.object({
  port: numberOption(1024, 65_535, { whole: true }),
  workers: z.optional(numberOption(2, 1_000, { whole: true })),
  demo: z.boolean(),
  'slow-store': z.boolean(),
  archive: z.boolean(),
  'separate-processes': z.boolean(),
});

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
export function localOptions(args: string[]): z.infer<typeof optionsSchema> | 'help' {
  return commandOptions(
    args,
    {
      port: String(DEFAULT_PORT),
      workers: undefined,
      demo: false,
      'slow-store': false,
      archive: false,
      'separate-processes': false,
    },
    optionsSchema,
  );
}

/** @throws ExplainedError when this is not the Node that the functions run on */
export function refuseOtherNode(version = process.versions.node): void {
  if (!version.startsWith('24.')) {
    throw new ExplainedError(
      `This is Node ${version}. Start it with npm start or npm run local: they use the Node 24 that npm ci has installed.`,
    );
  }
}
