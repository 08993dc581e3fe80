import { GetQueueAttributesCommand, type QueueAttributeName } from '@aws-sdk/client-sqs';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import { type Check, failed, ok } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { measured } from '../stacks/metrics.ts';

/** Outputs, the alarm that watches each, and how the records got there. */
const WORK = [
  { output: 'EventsQueueUrl', alarm: 'events-oldest', delaySeconds: 0, service: 'match' },
  { output: 'DeliveriesQueueUrl', alarm: 'deliveries-oldest', delaySeconds: 0, service: 'deliver' },
  // A timer is sent to wait, for a quarter of an hour at most.
  { output: 'RetryTimersUrl', alarm: 'retry-timers-oldest', delaySeconds: 900, service: undefined },
] as const;

const DEAD_LETTERS = [
  { part: 'pipeline', output: 'RuleDeadLettersUrl', alarm: 'rule-dead-letters' },
  { part: 'pipeline', output: 'UnclaimedEventsUrl', alarm: 'events-unclaimed' },
  { part: 'pipeline', output: 'EventsDeadLettersUrl', alarm: 'events-dead-letters' },
  { part: 'pipeline', output: 'DeliveriesDeadLettersUrl', alarm: 'deliveries-dead-letters' },
  { part: 'pipeline', output: 'RetryTimersDeadLettersUrl', alarm: 'retry-timers-dead-letters' },
  {
    part: 'pipeline',
    output: 'StatisticsDeadLettersUrl',
    alarm: 'statistics-dead-letters',
    section: 'stream-behind',
  },
  {
    part: 'archive',
    output: 'ArchiveDeadLettersUrl',
    alarm: 'archive-dead-letters',
    section: 'stream-behind',
  },
  { part: 'api', output: 'NoticesDeadLettersUrl', alarm: 'notices-dead-letters', section: 'notices' },
] as const satisfies { part: Part; output: string; alarm: string; section?: string }[];

/** Whether queues are worked off in time. */
export const queues: Check = {
  name: 'queues',
  async run(stage) {
    const looks = await Promise.all(
      WORK.map(async ({ output, alarm, delaySeconds, service }) => {
        const [visible, ages, toldAges] = await Promise.all([
          visibleIn(stage, output),
          agesOf(stage, stage.output('pipeline', output)),
          service === undefined ? [] : toldAgesOf(stage, service),
        ]);
        const oldestSeconds = Math.max(0, ...ages, ...toldAges);
        const max = stage.settings.oldestRecordSeconds + delaySeconds;
        return { alarm, visible, oldestSeconds, isLate: oldestSeconds > max };
      }),
    );
    const age = (seconds: number) =>
      stage.settings.emulated ? '' : `, the oldest ${Math.round(seconds)} s old`;
    const seen = looks
      .map(
        ({ alarm, visible, oldestSeconds }) =>
          `${alarm.replace('-oldest', '')} ${visible} waiting${age(oldestSeconds)}`,
      )
      .join('; ');
    const late = looks.filter(({ isLate }) => isLate);
    return late.length === 0 ? ok(seen) : failed(seen, 'Continue at docs/operations.md#records-too-old');
  },
};

/** Whether nothing was dead-lettered. */
export const deadLetters: Check = {
  name: 'dead-letters',
  async run(stage) {
    const counts = await Promise.all(
      // Not every stage has an archive, or tells partners.
      DEAD_LETTERS.filter(
        ({ part, output }) => part === 'pipeline' || stage.values[part]?.[output] !== undefined,
      ).map(async ({ part, output, alarm, ...others }) => ({
        alarm,
        section: 'section' in others ? others.section : alarm,
        count: await visibleIn(stage, output, part),
      })),
    );
    const full = counts.filter(({ count }) => count > 0);
    return full.length === 0
      ? ok(`${counts.length} queues, all empty`)
      : failed(
          full.map(({ alarm, count }) => `${alarm} ${count}`).join(', '),
          ...new Set(full.map(({ section }) => `Continue at docs/operations.md#${section}`)),
        );
  },
};

async function visibleIn(stage: ExaminedStage, output: string, part?: Part): Promise<number> {
  const attributes = await attributesOf(stage, { part, output }, 'ApproximateNumberOfMessages');
  return Number(attributes.ApproximateNumberOfMessages ?? 0);
}

/** In s. SQS leaves out records that were received three times; the worker does not. */
async function toldAgesOf(stage: ExaminedStage, service: string): Promise<readonly number[]> {
  const agesMs = await measured(stage, {
    namespace: stage.settings.metricNamespace,
    name: METRIC.recordAge,
    dimensions: { service },
    statistic: 'Maximum',
    minutes: 10,
  });
  return agesMs.map((ms) => ms / 1_000);
}

function agesOf(stage: ExaminedStage, url: string): Promise<readonly number[]> {
  return measured(stage, {
    namespace: 'AWS/SQS',
    name: 'ApproximateAgeOfOldestMessage',
    dimensions: { QueueName: url.split('/').at(-1) ?? '' },
    statistic: 'Maximum',
    minutes: 5,
  });
}

export const PIPELINE_QUEUES = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
  'RetryTimersUrl',
  'RetryTimersDeadLettersUrl',
  'StatisticsDeadLettersUrl',
  'RuleDeadLettersUrl',
] as const;

export async function attributesOf(
  { clients, output }: Pick<ExaminedStage, 'clients' | 'output'>,
  queue: { readonly part?: Part | undefined; readonly output: string },
  ...AttributeNames: QueueAttributeName[]
): Promise<Partial<Record<string, string>>> {
  const QueueUrl = output(queue.part ?? 'pipeline', queue.output);
  const { Attributes = {} } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames }),
  );
  return Attributes;
}

/** Reads attributes of each queue of the pipeline, and names the queues with a problem. */
export async function queueProblems(
  stage: ExaminedStage,
  AttributeNames: QueueAttributeName[],
  faultOf: (attributes: Partial<Record<string, string>>) => string | undefined,
): Promise<string[]> {
  const faults = await Promise.all(
    PIPELINE_QUEUES.map(async (name) => {
      const internalError = faultOf(await attributesOf(stage, { output: name }, ...AttributeNames));
      return internalError === undefined ? [] : [`${name.replace(/Url$/, '')} ${internalError}`];
    }),
  );
  return faults.flat();
}
