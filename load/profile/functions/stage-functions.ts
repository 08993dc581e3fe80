import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { accountEnvironment, clientConfig } from '../../../cli/stage/local-account.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import { STAGES } from '../../../payhooks.config.ts';
import type { StandIns } from '../stand-ins/stand-ins.ts';

export const PROFILED = ['match', 'deliver', 'wake', 'statistics', 'sweep'] as const;
export type Profiled = (typeof PROFILED)[number];

/** Queues by the environment variables that hold their URLs. */
const QUEUES: Readonly<Record<string, string>> = {
  EVENTS_QUEUE_URL: 'events.fifo',
  DELIVERIES_QUEUE_URL: 'deliveries.fifo',
  RETRY_TIMERS_URL: 'retry-timers',
  EVENTS_DEAD_LETTERS_URL: 'events-dead-letters.fifo',
  DELIVERIES_DEAD_LETTERS_URL: 'deliveries-dead-letters.fifo',
};

/**
 * The environment of the local stack's functions, with queues and bus replaced by the stand-ins. The tables
 * are the stack's own.
 */
export async function environmentsOf(
  endpoint: string,
  standIns: StandIns,
): Promise<Record<Profiled, Record<string, string>>> {
  const found: Partial<Record<Profiled, Record<string, string>>> = {};
  for await (const { Functions = [] } of paginateListFunctions(
    { client: new LambdaClient(clientConfig(endpoint)) },
    {},
  )) {
    for (const { FunctionName = '', MemorySize = 0, Environment } of Functions) {
      const variables = Environment?.Variables ?? {};
      const name = PROFILED.find((one) => one === variables.POWERTOOLS_SERVICE_NAME);
      if (name !== undefined && FunctionName.includes('-pipeline-')) {
        found[name] = {
          ...variables,
          ...accountEnvironment(endpoint),
          // The bundles come from this working tree and read its policy; the running stack may be older.
          ...('DELIVERY_POLICY' in variables
            ? { DELIVERY_POLICY: deliveryPolicyJson(STAGES.local.deliveryPolicy) }
            : {}),
          ...('QUEUE_PUBLISHERS' in variables ? { VALIDATE: STAGES.local.validate } : {}),
          ATTEMPTS_PER_DRAW: String(STAGES.local.attemptsPerDraw),
          ...Object.fromEntries(
            Object.keys(variables).flatMap((variable) =>
              QUEUES[variable] === undefined ? [] : [[variable, standIns.queueUrl(QUEUES[variable])]],
            ),
          ),
          AWS_ENDPOINT_URL_SQS: standIns.endpoint,
          AWS_ENDPOINT_URL_EVENTBRIDGE: standIns.endpoint,
          AWS_LAMBDA_FUNCTION_NAME: FunctionName,
          AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
          PATH: process.env.PATH ?? '',
        };
      }
    }
  }
  const missing = PROFILED.filter((name) => found[name] === undefined);
  if (missing.length > 0) {
    throw new Error(`the local stack has no ${missing.join(', ')}`);
  }
  return found as Record<Profiled, Record<string, string>>;
}
