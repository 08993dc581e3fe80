import { parseArgs } from 'node:util';
import { ExplainedError } from './explained-error.ts';

export const DEFAULT_PORT = 4566;

export const LOCAL_HELP = `Starts an AWS emulator on this machine and deploys Payhooks to it.

  npm start              with a demonstration
  npm run local          until Ctrl-C, for tools: .local/outputs.json is there when all is ready

  --port N               where the emulator listens, on loopback only (default: ${DEFAULT_PORT})
  --demo                 subscribe three receivers, send payments for a minute, show what happens
  --help

Needs Python 3.10 or newer; the first start installs the emulator into .local/venv.
`;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming the option at fault */
export function localOptions(args: string[]): { readonly port: number; readonly demo: boolean } | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      demo: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1024 || port > 65_535) {
    throw new ExplainedError(
      `--port: must be a whole number from 1024 to 65535, not ${JSON.stringify(values.port)}`,
    );
  }
  return { port, demo: values.demo };
}

/** @throws ExplainedError when this is not the Node that the functions run on */
export function refuseOtherNode(version = process.versions.node): void {
  if (!version.startsWith('24.')) {
    throw new ExplainedError(
      `This is Node ${version}. Start it with npm start or npm run local: they use the Node 24 that npm ci has installed.`,
    );
  }
}
