import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { rotateStageKeys } from '../cli/operator/stage-keys/stage-keys-commands.ts';
import { clientConfig } from '../cli/stage/local-account.ts';
import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import { localAccess } from '../cli/stage/stage-access.ts';
import { ExplainedError } from '../cli/terminal/explanation.ts';
import { apiTokenTable } from '../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE } from '../functions/core/api/api-token.ts';
import { bootstrap, deployStacks, type LocalApp } from './deploy.ts';
import { lockDirectory } from './directory-lock.ts';
import { type Emulator, startEmulator } from './emulator/emulator.ts';
import { ourApp } from './our-app.ts';
import { writeOutputs } from './outputs.ts';
import { freePort } from './port.ts';
import { startSlowStore } from './slow-store.ts';
import { warmUpStack } from './warm-up.ts';

export interface LocalStack {
  readonly outputs: LocalOutputs;
  readonly outputsFile: string;
  /** Resolves when the emulator has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Removes the outputs file and ends all processes. Idempotent. */
  stop(): Promise<void>;
}

interface LocalStackOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Holds outputs, logs, the cloud assembly and temporary files. Each running stack needs its own. */
  readonly directory: string;
  readonly log: (line: string) => void;
  /** Puts a proxy before DynamoDB that can be made slow. @default false */
  readonly slowStore?: boolean;
  /** Another engine for DynamoDB that keeps the tables' items, and the Python file that asks it. @default - the emulator */
  readonly tables?: { readonly endpoint: string; readonly adapter: string };
  /** Gives each invocation its own process. @default false: most functions run many in one */
  readonly separateProcesses?: boolean;
  /** Warms up the functions before the stack counts as ready, if it takes events on this machine: see `warmUpStack`. @default false */
  readonly warm?: boolean;
  /** What is deployed. @default - the stage `local` of our own app */
  readonly app?: LocalApp;
  /** Stops the start, and ends what was started before rejecting. */
  readonly signal?: AbortSignal;
}

/** Exists from the start. */
const SERVICE_ID = 'demo';

function tablesOf({ endpoint, adapter }: NonNullable<LocalStackOptions['tables']>): Record<string, string> {
  return { TABLES_AT: endpoint, TABLES_ADAPTER: adapter };
}

/**
 * Starts an emulator, deploys the whole application to it and creates an API token for the service `demo` and a
 * key with which the stage signs.
 *
 * @throws ExplainedError if the user must fix something first
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  await mkdir(options.directory, { recursive: true });
  // Nobody's repository is to have it.
  await writeFile(join(options.directory, '.gitignore'), '*\n');
  const unlock = lockDirectory(options.directory);
  try {
    const stack = await deployedStack(options);
    return {
      ...stack,
      async stop() {
        await stack.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function deployedStack(options: LocalStackOptions): Promise<LocalStack> {
  const { directory, log, app = ourApp({}) } = options;
  const outputsFile = join(directory, 'outputs.json');
  await rm(outputsFile, { force: true });
  // A failed step aborts the others, so that nothing continues in the background after this rejects.
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const step = { ...options, signal };
  log('Starting the emulator, building the functions');
  const prepared = abortingOthers(preparedEmulator({ ...step, outputsFile }), failed);
  const answering = prepared.then(({ endpoint }) => endpoint);
  const [assembly, emulator] = await Promise.allSettled([
    abortingOthers(app.synthesize(step, answering), failed),
    prepared,
    answering,
  ]);
  try {
    if (assembly.status === 'rejected' || emulator.status === 'rejected') {
      throw failed.signal.reason;
    }
    const { endpoint, slowStoreUrl } = emulator.value;
    const stacks = await deployStacks({ ...step, endpoint, assembly: assembly.value });
    const known = await app.outputs(step, { endpoint, slowStoreUrl, serviceId: SERVICE_ID }, stacks);
    const outputs = { ...known, token: await tokenFor(known) };
    await rotateStageKeys(await localAccess(outputs), 0, Date.now);
    if (options.warm) {
      log('Warming up');
      await warmUpStack(outputs, signal).catch((error: unknown) => {
        // What another app's stage refuses is its own affair: it only stays cold.
        if (!(error instanceof ExplainedError)) throw error;
        log(`Not warmed up. ${error.message}`);
      });
    }
    await writeOutputs(outputsFile, outputs);
    return {
      outputs,
      outputsFile,
      ended: emulator.value.ended,
      async stop() {
        await rm(outputsFile, { force: true });
        await emulator.value.stop();
      },
    };
  } catch (error) {
    if (emulator.status === 'fulfilled') {
      await emulator.value.stop();
    }
    throw error;
  }
}

interface Prepared extends Emulator {
  /** Of the proxy before DynamoDB; absent without one. */
  readonly slowStoreUrl?: string | undefined;
}

async function preparedEmulator(options: LocalStackOptions & { outputsFile: string }): Promise<Prepared> {
  // The proxy must know the port before the emulator has it.
  const port = options.slowStore ? await freePort(options.port) : options.port;
  const slowStore = options.slowStore ? await startSlowStore(`http://127.0.0.1:${port}`) : undefined;
  const started: { stop(): Promise<void> }[] = slowStore === undefined ? [] : [slowStore];
  const stop = async () => {
    for (const one of started) await one.stop();
  };
  try {
    const emulator = await startEmulator({
      ...options,
      port,
      environment: {
        // Mails that would be sent.
        MAILS_FOLDER: join(options.directory, 'mails'),
        ...(options.tables === undefined ? {} : tablesOf(options.tables)),
        ...(slowStore === undefined ? {} : { AWS_ENDPOINT_URL_DYNAMODB: slowStore.url }),
      },
      logFile: join(options.directory, 'emulator.log'),
      removeAtEnd: [options.outputsFile],
    });
    started.unshift(emulator);
    await bootstrap({ ...options, endpoint: emulator.endpoint });
    return { ...emulator, slowStoreUrl: slowStore?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function abortingOthers<T>(step: Promise<T>, others: AbortController): Promise<T> {
  return step.catch((error: unknown) => {
    others.abort(error);
    throw error;
  });
}

async function tokenFor({ endpoint, serviceId, tables }: Omit<LocalOutputs, 'token'>): Promise<string> {
  const client = new DynamoDBClient(clientConfig(endpoint));
  // The demo polls each subscription twice a second.
  const requestsPerMinute = MAX_REQUESTS_PER_MINUTE;
  const wanted = { serviceId, description: 'made by the local stack', requestsPerMinute };
  const { token } = await createToken(apiTokenTable(client, tables.apiTokens), wanted);
  client.destroy();
  return token;
}
