import { setTimeout as delay } from 'node:timers/promises';
import { bus } from '../../cli/publisher/publish.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { LocalStack } from '../../local/local-stack.ts';
import { deliveryCount } from '../lab/findings/delivery-count.ts';
import { recordedNow } from '../lab/findings/gather-facts.ts';
import { localLab } from '../lab/stage/local-lab.ts';
import { waitUntilDrained } from '../lab/watch/drain.ts';
import { repeating } from '../lab/watch/repeating.ts';
import { LEAST_SHARE, unoffered } from '../results/outcome.ts';
import { slowStoreControl } from '../slow-store/control.ts';
import { disturb } from './disturb.ts';
import { deadLettersOf, gather } from './evidence.ts';
import { type Judgement, judge } from './judge.ts';
import { type Sample, type Trend, trendsOf } from './memory.ts';
import { soakPlan } from './plan.ts';
import { publisher } from './publisher.ts';
import { sampler } from './sampling.ts';
import { soakPartners } from './soak-partners.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly rate: number;
  readonly periodMs: number;
  readonly sampleEveryMs: number;
}

export interface SoakResult extends SoakOptions, Judgement {
  readonly started_at: string;
  readonly machine: string;
  readonly killed: number;
  readonly is_interrupted: boolean;
  readonly trends: readonly Trend[];
  readonly samples: readonly Sample[];
}

/** Longer than a killed worker's records stay invisible. */
const PATIENCE_MS = 240_000;

/** Soaks a stack of its own until the time is over or `signal` aborts, and judges what there is. */
export async function soak(
  stack: LocalStack,
  options: SoakOptions,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<SoakResult> {
  const { seed, durationMs, rate, periodMs, sampleEveryMs } = options;
  const stage = await localLab(stack.outputs);
  const store = slowStoreControl(stack.outputs.slowStoreUrl ?? '');
  const run = `soak${seed}`;
  const partners = await soakPartners(stage, run);
  const over = new AbortController();
  const disturbed = AbortSignal.any([over.signal, signal]);
  try {
    const startedAt = new Date();
    const count = deliveryCount(partners);
    const confirmedAtMs = new Map<string, number>();
    let published = 0;
    const plan = soakPlan({ seed, durationMs, periodMs });
    const disturbing = disturb(plan, {
      partners,
      store,
      outputsFile: stack.outputsFile,
      statisticsTable: stack.outputs.tables.statistics,
      signal: disturbed,
    });
    const publishing = publisher({
      serviceIds: partners.map(({ serviceId }) => serviceId),
      run,
      seed,
      rate,
      put: bus(stage.events, stage.busName),
      onSent(event, atMs) {
        confirmedAtMs.set(event.event_id, atMs);
        published +=
          partners.find(({ serviceId }) => serviceId === event.service_id)?.subscriptionIds.length ?? 0;
        count.sent([event]);
      },
    });
    const sampling = sampler({
      count,
      startedAt,
      outputsFile: stack.outputsFile,
      everyMs: sampleEveryMs,
      say: (line) => say(`${line}, killed ${disturbing.killed}`),
    });
    await delay(durationMs, undefined, { signal }).catch(() => {});
    const lastedMs = Date.now() - startedAt.getTime();
    over.abort();
    const unsure = await publishing.stop();
    await disturbing.ended;
    await store.behave({});
    const { samples, failed } = await sampling.stop();
    const trends = trendsOf(samples, published);
    const ended = async () => {
      await Promise.all(partners.map((partner) => partner.revive()));
      await count.poll();
      const recorded = await recordedNow(partners);
      return count.waiting().filter(({ messageId }) => isGivenUp(recorded.get(messageId))).length;
    };
    const patience = { endedAmongWaiting: ended, patienceMs: PATIENCE_MS, signal };
    const polling = repeating(() => count.poll(), 1_000);
    say('Disturbing has ended: waiting until all is delivered or given up');
    await waitUntilDrained({ ...patience, waiting: () => count.waiting().length }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await polling.stop();
    const facts = await gather(partners, count.expected, { patienceMs: PATIENCE_MS, signal });
    const events = new Set(count.expected.map(({ eventId }) => eventId)).size;
    const gaps = [
      ...disturbing.failures,
      ...(unsure > 0 ? [`${unsure} events may be on the bus or not`] : []),
      ...unoffered(events, (lastedMs / 1_000) * rate),
      ...(failed > samples.length * (1 - LEAST_SHARE) ? [`${failed} samples failed`] : []),
      ...(disturbing.killed === 0 ? ['no worker was killed'] : []),
    ];
    const judgement = judge({
      ...facts,
      published,
      gaps,
      isInterrupted: signal.aborted,
      expected: count.expected,
      confirmedAtMs,
      deadLetters: await deadLettersOf(stage, stack.outputs.queues),
      trends,
    });
    return {
      ...options,
      started_at: startedAt.toISOString(),
      machine: stage.machine,
      killed: disturbing.killed,
      is_interrupted: signal.aborted,
      ...judgement,
      trends,
      samples,
    };
  } finally {
    over.abort();
    await Promise.all(partners.map((partner) => partner.stop()));
    await stage.close();
  }
}

/** One that succeeded is about to be seen as accepted, and would count twice. */
function isGivenUp(record: MessageSummary | undefined): boolean {
  return record?.state === 'exhausted' || record?.state === 'cancelled';
}
