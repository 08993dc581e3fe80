import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueAges } from '../../adapters/cloudwatch/queue-ages.ts';
import { queueDepths } from '../../adapters/sqs/queue-depths.ts';
import type { StagePorts } from './stage-ports.ts';
import type { LookedAt } from './watched-queues.ts';

interface Looking {
  readonly sqs: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  /** Of our own metrics. */
  readonly metricNamespace: string;
  now(): number;
  warn(text: string): void;
}

/** What is in the queues of a stage. Without its metrics, ages are not shown. */
export async function lookAtQueues(
  queues: readonly LookedAt[],
  { sqs, cloudWatch, metricNamespace, now, warn }: Looking,
): ReturnType<StagePorts['queues']> {
  const work = queues.filter(({ kind }) => kind === 'work');
  const [depths, ages] = await Promise.all([
    queueDepths(
      sqs,
      queues.map(({ url }) => url),
    ),
    queueAges(cloudWatch, work, now(), metricNamespace).catch((error: Error) => {
      warn(error.message);
      return new Map<string, number>();
    }),
  ]);
  const of = (wanted: LookedAt['kind']) =>
    queues.flatMap(({ kind, name, runbook }, index) => {
      const oldest = ages.get(name);
      return kind === wanted
        ? [
            {
              runbook,
              waiting: depths[index] ?? 0,
              ...(oldest === undefined ? {} : { oldest_seconds: Math.round(oldest) }),
            },
          ]
        : [];
    });
  return { work: of('work'), dead_letters: of('dead_letters') };
}
