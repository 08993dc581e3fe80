import { rename, writeFile } from 'node:fs/promises';
import { LOCAL_ACCOUNT } from '../cli/stage/local-account.ts';
import { type LocalOutputs, reachable } from '../cli/stage/local-outputs.ts';
import type { Stage } from '../lib/app/stage.ts';
import { stageDeployment } from '../lib/recorded-deployment.ts';
import type { StackOutputs } from './deploy.ts';

/** Writes atomically: whoever waits for the file never reads half of it. */
export async function writeOutputs(file: string, outputs: LocalOutputs): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(outputs, undefined, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

/**
 * Reads the outputs of a stage's stacks on the emulator.
 *
 * @param absent for outputs of a stage that an earlier release deployed, which may lack some
 * @throws naming a missing output
 */
export function outputsOf(
  stacks: StackOutputs,
  given: Pick<LocalOutputs, 'endpoint' | 'serviceId' | 'slowStoreUrl'>,
  stage: Stage['name'] = 'local',
  absent?: string,
): Omit<LocalOutputs, 'token'> {
  const stackOf = (part: string) => `payhooks-${stage}-${part}`;
  const output = (part: string, name: string): string => {
    const value = stacks[stackOf(part)]?.[name] ?? absent;
    if (value === undefined) {
      throw new Error(`the stack ${stackOf(part)} has no output ${name}`);
    }
    return value;
  };
  return outputsBy(output, (part) => stackOf(part) in stacks, {
    ...given,
    deployment: stageDeployment(stage),
  });
}

/**
 * @param output of a part of a deployment, by its name
 * @param has whether the deployment has a part
 */
export function outputsBy(
  output: (part: string, name: string) => string,
  has: (part: string) => boolean,
  given: Pick<LocalOutputs, 'endpoint' | 'deployment' | 'serviceId' | 'slowStoreUrl'>,
): Omit<LocalOutputs, 'token'> {
  return {
    ...given,
    ...(has('archive')
      ? {
          archive: {
            bucket: output('archive', 'ArchiveBucketName'),
            deadLetters: output('archive', 'ArchiveDeadLettersUrl'),
          },
        }
      : {}),
    region: LOCAL_ACCOUNT.region,
    accountId: LOCAL_ACCOUNT.accountId,
    busName: output('pipeline', 'BusName'),
    apiUrl: `${reachable('execute-api', output('api', 'ApiUrl'), given.endpoint)}/$default`,
    ...(has('load-lab')
      ? {
          receiverUrl: `${reachable('lambda-url', output('load-lab', 'ReceiverUrl'), given.endpoint)}/`,
          emptySinkLogGroup: output('load-lab', 'EmptySinkLogGroupName'),
        }
      : {}),
    stageLinks: {
      'on-call': output('api', 'OnCallLinkFunctionName'),
      analyst: output('api', 'AnalystLinkFunctionName'),
    },
    queues: {
      events: output('pipeline', 'EventsQueueUrl'),
      eventsDeadLetters: output('pipeline', 'EventsDeadLettersUrl'),
      deliveries: output('pipeline', 'DeliveriesQueueUrl'),
      deliveriesDeadLetters: output('pipeline', 'DeliveriesDeadLettersUrl'),
      retryTimers: output('pipeline', 'RetryTimersUrl'),
      retryTimersDeadLetters: output('pipeline', 'RetryTimersDeadLettersUrl'),
      statisticsDeadLetters: output('pipeline', 'StatisticsDeadLettersUrl'),
      ruleDeadLetters: output('pipeline', 'RuleDeadLettersUrl'),
    },
    tables: {
      subscriptions: output('data', 'SubscriptionsTableName'),
      signingSecrets: output('data', 'SigningSecretsTableName'),
      apiTokens: output('data', 'ApiTokensTableName'),
      history: output('data', 'HistoryTableName'),
      statistics: output('data', 'StatisticsTableName'),
      orderingKeys: output('data', 'OrderingKeysTableName'),
      sequences: output('data', 'SequencesTableName'),
      idempotency: output('data', 'IdempotencyTableName'),
      audit: output('data', 'AuditTableName'),
      ...(has('load-lab') ? { receiver: output('load-lab', 'ReceiverTableName') } : {}),
    },
  };
}
