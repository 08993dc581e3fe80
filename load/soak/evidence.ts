import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { LocalOutputs } from '../../cli/stage/local-outputs.ts';
import type { Attempt } from '../../functions/core/attempt/attempt.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import { recordedNow } from '../lab/findings/gather-facts.ts';
import { isPlain } from '../lab/findings/measurements.ts';
import type { LabStage } from '../lab/stage/lab-stage.ts';
import { type Counted, type Evidence, isSettled } from './proof.ts';
import type { Source } from './soak-partners.ts';

type Facts = Pick<Evidence, 'recorded' | 'receipts' | 'attempts' | 'inDoubt' | 'statistics'>;

interface Wanted {
  /** What should be on record, as far as the record itself is needed to tell. */
  expectedIn(recorded: Facts['recorded']): Evidence['expected'];
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

const SLEEP_MS = 5_000;
const CONCURRENCY = 5;

/**
 * What is on record, and what receivers saw. Waits for what follows a delivery: history, which a killed
 * worker leaves to the next attempt, and statistics. Gives up after `patienceMs`, and when the signal is
 * aborted.
 */
export async function gather(
  sources: readonly Source[],
  { expectedIn, patienceMs, signal }: Wanted,
): Promise<Facts> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const facts = await read(sources);
    if (
      isSettled({ ...facts, expected: expectedIn(facts.recorded) }) ||
      performance.now() > until ||
      signal.aborted
    )
      return facts;
    await delay(SLEEP_MS, undefined, { signal }).catch(() => {});
  }
}

async function read(sources: readonly Source[]): Promise<Facts> {
  const recorded = await recordedNow(sources);
  const receipts = await Promise.all(
    sources.flatMap((source) => source.subscriptionIds.map((id) => allReceipts(source, id))),
  );
  const statistics = new Map<string, Counted>();
  for (const source of sources) {
    for (const id of source.subscriptionIds) statistics.set(id, await source.counted(id));
  }
  const seen = Map.groupBy(receipts.flat(), ({ webhook_id }) => webhook_id);
  const asked = [...recorded.values()].filter(
    (one) => !isPlain(one) || (seen.get(one.message_id)?.length ?? 0) !== one.attempt_count,
  );
  const attempts = new Map<string, readonly Attempt[]>();
  const inDoubt = new Set<string>();
  const next = asked.values();
  const ownerOf = new Map(sources.flatMap((one) => one.subscriptionIds.map((id) => [id, one] as const)));
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const { message_id, subscription_id } of next) {
        const view = await ownerOf.get(subscription_id)?.message(message_id);
        if (view !== undefined) attempts.set(message_id, view.attempts);
        if (view?.earlier_may_be_missing) inDoubt.add(message_id);
      }
    }),
  );
  return { recorded, receipts, attempts, inDoubt, statistics };
}

async function allReceipts(source: Source, id: string): Promise<readonly Receipt[]> {
  const all: Receipt[] = [];
  for (;;) {
    const page = await source.receipts(id, all.length);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** How many records each dead-letter queue holds. */
export async function deadLettersOf(
  { sqs }: Pick<LabStage, 'sqs'>,
  queues: LocalOutputs['queues'],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, QueueUrl] of Object.entries(queues).filter(([name]) => name.endsWith('DeadLetters'))) {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    counts[name] = Number(Attributes?.ApproximateNumberOfMessages ?? 0);
  }
  return counts;
}
