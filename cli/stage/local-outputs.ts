import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { STACK_DIRECTORY } from '../../lib/project-paths.ts';
import { stageDeployment } from '../../lib/recorded-deployment.ts';
import { ExplainedError } from '../terminal/explanation.ts';

const outputsSchema = z.object({
  /** The emulator's URL, for every AWS service. */
  endpoint: z.string(),
  /** URL of the proxy that makes DynamoDB slow in load runs. Absent without --slow-store. */
  slowStoreUrl: z.string().optional(),
  region: z.string(),
  accountId: z.string(),
  /** The name of the deployment. */
  deployment: z.string().default(stageDeployment('local')),
  busName: z.string(),
  /** URL of the HTTP API, without a final slash: `${apiUrl}/v1/subscriptions`. */
  apiUrl: z.string(),
  /** A service that exists from the start, and its API token. */
  serviceId: z.string(),
  token: z.string(),
  /**
   * URL of the simulated receiver, with a final slash: `${receiverUrl}${endpoint}` is a callback URL. Only our
   * own app has it, and what else belongs to the load lab.
   */
  receiverUrl: z.string().optional(),
  /** Log group of the load lab's empty pipeline. */
  emptySinkLogGroup: z.string().optional(),
  /** Names of the functions that make links to the console of the stage. */
  stageLinks: z.object({ 'on-call': z.string(), analyst: z.string() }),
  /** URLs. */
  queues: z.object({
    events: z.string(),
    eventsDeadLetters: z.string(),
    deliveries: z.string(),
    deliveriesDeadLetters: z.string(),
    retryTimers: z.string(),
    retryTimersDeadLetters: z.string(),
    statisticsDeadLetters: z.string(),
    ruleDeadLetters: z.string(),
  }),
  /** Absent without --archive. */
  archive: z.object({ bucket: z.string(), deadLetters: z.string() }).optional(),
  /** Names. */
  tables: z.object({
    subscriptions: z.string(),
    signingSecrets: z.string(),
    apiTokens: z.string(),
    history: z.string(),
    statistics: z.string(),
    orderingKeys: z.string(),
    sequences: z.string(),
    idempotency: z.string(),
    audit: z.string(),
    receiver: z.string().optional(),
  }),
});

/** All that tools need to use a running local stack. */
export type LocalOutputs = z.infer<typeof outputsSchema>;

/** What the local stack of our own app has besides. */
export interface LabOutputs {
  readonly receiverUrl: string;
  readonly emptySinkLogGroup: string;
  readonly receiverTable: string;
}

/** @throws ExplainedError when the stack is that of another app */
export function labOf({ receiverUrl, emptySinkLogGroup, tables }: LocalOutputs): LabOutputs {
  if (receiverUrl === undefined || emptySinkLogGroup === undefined || tables.receiver === undefined) {
    throw new ExplainedError(
      'This needs the simulated receiver, which only the local stack of the Payhooks repository has: start that one.',
    );
  }
  return { receiverUrl, emptySinkLogGroup, receiverTable: tables.receiver };
}

/** Exists while the local stack is ready. */
const OUTPUTS_FILE = join(STACK_DIRECTORY, 'outputs.json');

/** @throws ExplainedError when no local stack is ready */
export async function readOutputs(file = OUTPUTS_FILE): Promise<LocalOutputs> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ExplainedError(
      `The local stack is not running: there is no ${file}. Start it with: npm run local`,
    );
  });
  return outputsSchema.parse(JSON.parse(text));
}

/** The emulator's path for an API or a function URL: the host name in its output leads to AWS. */
export function reachable(kind: 'execute-api' | 'lambda-url', url: string, endpoint: string): string {
  const id = new URL(url).hostname.split('.')[0];
  return `${endpoint}/_aws/${kind}/${id}`;
}
