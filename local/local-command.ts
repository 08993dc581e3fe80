import { once } from 'node:events';
import { join } from 'node:path';
import pc from 'picocolors';
import { type CommandSet, commandsIn, type Options } from '../cli/terminal/command.ts';
import { ExplainedError } from '../cli/terminal/explanation.ts';
import { howToBegin } from '../cli/terminal/how-to-begin.ts';
import { wholeNumberOption } from '../cli/terminal/option-kinds.ts';
import { IS_REPOSITORY, STACK_DIRECTORY } from '../lib/project-paths.ts';
import { showDemo } from './demo/demo.ts';
import type { LocalApp } from './deploy.ts';
import { InterruptedError, interruption } from './interruption.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { ourApp } from './our-app.ts';
import { ownApp } from './own-app.ts';

const localCommand = commandsIn<object>();

/** 3.5 GB of workers of deliver, if each is a process. */
const MAX_PROCESSES = 50;

const COMMON = {
  port: wholeNumberOption('where the emulator listens, on loopback only', 1024, 65_535, {
    default: '4566',
  }),
  'slow-store': { help: 'put a proxy before DynamoDB, which load runs make slow' },
  'separate-processes': { help: 'a process for each invocation, as on Lambda: some 70 MB each' },
} as const satisfies Options;

const TOLD = {
  name: '',
  example: '--port 4600',
  remarks:
    'For tools, .local/outputs.json exists while the stack is ready.\n' +
    'Needs Python 3.10 or newer; the first start installs the emulator into .local/venv.',
  isTextOnly: true,
} as const;

const inRepository = localCommand({
  ...TOLD,
  summary: 'Starts an AWS emulator on this machine and deploys Payhooks to it, until Ctrl-C',
  options: {
    ...COMMON,
    workers: wholeNumberOption(
      'how many batches to deliver at a time at most, instead of 250, or of 50 with a process for each',
      2,
      1_000,
    ),
    archive: { help: 'write attempts to files too, as stages with an archive do: docs/archive.md' },
    demo: { help: 'three endpoints, a minute of payments, an outage of one: show what happens' },
  },
  run: ({ archive, workers, demo, ...given }) => {
    const max = workers ?? (given['separate-processes'] ? MAX_PROCESSES : undefined);
    return run({ ...given, demo }, ourApp({ archive, workers: max }));
  },
});

const inAnotherApp = localCommand({
  ...TOLD,
  summary: 'Starts an AWS emulator on this machine and deploys the CDK app of this folder, until Ctrl-C',
  options: {
    ...COMMON,
    stack: {
      value: 'NAME',
      help: 'which Payhooks of the app commands are about afterwards (default: the first by name)',
    },
  },
  run: ({ stack, ...given }) => run(given, ownApp(stack)),
});

interface Wanted {
  readonly port: number;
  readonly 'slow-store': boolean;
  readonly 'separate-processes': boolean;
  readonly demo?: boolean;
}

async function run(wanted: Wanted, app: LocalApp): Promise<true> {
  refuseOtherNode();
  const colors = pc.createColors(process.stdout.isTTY && process.env.NO_COLOR === undefined);
  const log = console.log;
  const signal = interruption(log);
  const startedAt = performance.now();
  try {
    const stack = await startLocalStack({
      port: wanted.port,
      app,
      slowStore: wanted['slow-store'],
      separateProcesses: wanted['separate-processes'],
      warm: true,
      directory: STACK_DIRECTORY,
      log,
      signal,
    });
    try {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      log(colors.green(`ready after ${seconds} s: ${stack.outputsFile}`));
      if (!wanted.demo) {
        log(howToBegin(stack.outputs));
      }
      await Promise.race([
        emulatorEnded(stack),
        wanted.demo ? showDemo({ outputs: stack.outputs, colors, log, signal }) : aborted(signal),
      ]);
    } finally {
      await stack.stop();
    }
  } catch (error) {
    // After an interruption, other errors are its consequence.
    if (!(signal.reason instanceof InterruptedError)) {
      throw error;
    }
  }
  log('Stopped; nothing is left running');
  return true;
}

export const LOCAL: CommandSet<object> = {
  script: 'npm run local --',
  summary: 'The local stack: a whole deployment on an emulator.',
  commands: [IS_REPOSITORY ? inRepository : inAnotherApp],
};

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}

async function emulatorEnded({ ended }: LocalStack): Promise<never> {
  await ended;
  throw new ExplainedError(`The emulator has ended. Its log: ${join(STACK_DIRECTORY, 'emulator.log')}`);
}

/** @throws ExplainedError when this is not the Node that the functions run on */
export function refuseOtherNode(version = process.versions.node): void {
  if (!version.startsWith('24.')) {
    throw new ExplainedError(
      `This is Node ${version}, and functions run on Node 24. npm and npx use it where it is installed: npm ci does that here, npm install --save-dev node@24 elsewhere.`,
    );
  }
}
