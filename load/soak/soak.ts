import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bus } from '../../cli/publisher/publish.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { statisticsTable } from '../../functions/adapters/dynamodb/history/statistics-table.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { LocalStack } from '../../local/local-stack.ts';
import { slowStoreControl } from '../../local/slow-store/control.ts';
import { deliveryCount } from '../lab/findings/delivery-count.ts';
import { recordedNow } from '../lab/findings/gather-facts.ts';
import { localLab } from '../lab/stage/local-lab.ts';
import { waitUntilDrained } from '../lab/watch/drain.ts';
import { repeating } from '../lab/watch/repeating.ts';
import { LEAST_SHARE, unoffered } from '../results/outcome.ts';
import { departures, expectedOfGuests, type PublishedEvent } from './choices.ts';
import { disturb } from './disturb.ts';
import { deadLettersOf, gather } from './evidence.ts';
import { soakGuests } from './guests.ts';
import { type Judgement, judge } from './judge.ts';
import { type Sample, type Trend, trendsOf, unprovenKinds } from './memory.ts';
import { soakPlan } from './plan.ts';
import type { Evidence } from './proof.ts';
import { publisher } from './publisher.ts';
import { sampler } from './sampling.ts';
import { HOST, soakPartners } from './soak-partners.ts';

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
  /** Subscriptions that were created while it ran. */
  readonly guests: number;
  readonly is_interrupted: boolean;
  readonly trends: readonly Trend[];
  readonly samples: readonly Sample[];
}

/** Before any hour of statistics. */
const EVER = '2000';
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
  const statistics = statisticsTable(
    new DynamoDBClient(clientConfig(stack.outputs.endpoint)),
    stack.outputs.tables,
  );
  const partners = await soakPartners(stage, run);
  const toHost: PublishedEvent[] = [];
  const hostId = partners.find(({ group }) => group === HOST)?.serviceId ?? '';
  const guests = await soakGuests(stage, {
    serviceId: hostId,
    payments: () => toHost.map(({ paymentId }) => paymentId),
    hours: (id) => statistics.hours(id, EVER),
  });
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
      guests,
      store,
      outputsFile: stack.outputsFile,
      signal: disturbed,
    });
    const publishing = publisher({
      serviceIds: partners.map(({ serviceId }) => serviceId),
      run,
      seed,
      rate,
      put: bus(stage.events, stage.busName),
      onSent(event, sent) {
        const { event_id: eventId, payment_id: paymentId, sequence, sent_at_ms: sentAtMs } = event;
        confirmedAtMs.set(eventId, sent.confirmedAtMs);
        if (event.service_id === hostId)
          toHost.push({ serviceId: hostId, eventId, paymentId, sequence, sentAtMs, ...sent });
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
      await Promise.all([guests, ...partners].map((partner) => partner.revive()));
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
    await guests.revive();
    const ofGuests = (recorded: Evidence['recorded']) => expectedOfGuests(guests.all, toHost, recorded);
    const expectedIn = (recorded: Evidence['recorded']) => [
      ...count.expected,
      ...ofGuests(recorded).expected,
    ];
    const facts = await gather([...partners, guests], { expectedIn, patienceMs: PATIENCE_MS, signal });
    const { expected: received, unwanted } = ofGuests(facts.recorded);
    const events = new Set(count.expected.map(({ eventId }) => eventId)).size;
    const gaps = [
      ...disturbing.failures,
      ...(unsure > 0 ? [`${unsure} events may be on the bus or not`] : []),
      ...unoffered(events, (lastedMs / 1_000) * rate),
      ...(failed > samples.length * (1 - LEAST_SHARE) ? [`${failed} samples failed`] : []),
      ...(disturbing.killed === 0 ? ['no worker was killed'] : []),
      ...(departures(guests.all).size === 0 ? ['no subscription was deleted'] : []),
    ];
    const judgement = judge({
      ...facts,
      published: published + received.length,
      gaps,
      isInterrupted: signal.aborted,
      expected: [...count.expected, ...received],
      confirmedAtMs,
      deadLetters: await deadLettersOf(stage, stack.outputs.queues),
      trends,
      unproven: unprovenKinds(samples, trends),
      departures: departures(guests.all),
      unwanted,
    });
    return {
      ...options,
      started_at: startedAt.toISOString(),
      machine: stage.machine,
      killed: disturbing.killed,
      guests: guests.all.length,
      is_interrupted: signal.aborted,
      ...judgement,
      trends,
      samples,
    };
  } finally {
    over.abort();
    await Promise.all([guests, ...partners].map((partner) => partner.stop()));
    await stage.close();
  }
}

/** One that succeeded is about to be seen as accepted, and would count twice. */
function isGivenUp(record: MessageSummary | undefined): boolean {
  return record?.state === 'exhausted' || record?.state === 'cancelled';
}
