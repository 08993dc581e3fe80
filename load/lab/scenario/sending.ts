import { setTimeout as delay } from 'node:timers/promises';
import type { FromGenerator, SentEvent } from '../../artillery/messages.ts';
import type { DeliveryCount } from '../findings/delivery-count.ts';
import type { Changed } from '../findings/periods.ts';
import type { Partner } from '../partners/partner.ts';
import { apply, type PartnerGroup } from '../partners/partner-groups.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { type BackpressureWatch, backpressureWatch } from '../watch/backpressure.ts';
import { repeating } from '../watch/queue-watch.ts';
import type { ArtilleryScript } from './artillery.ts';
import { type RunningArtillery, startArtillery } from './run-artillery.ts';

export interface Sending {
  readonly run: string;
  readonly script: ArtilleryScript;
  readonly partners: readonly Partner[];
  readonly groups: readonly PartnerGroup[];
  readonly eventsPerPayment: number;
  readonly bodyBytes: number;
  readonly durationMs: number;
  readonly stopsWhenManyWait: boolean;
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** What happened while events were sent. */
export interface SendLog {
  /** Undefined until the first event was sent. */
  firstSentAtMs?: number;
  lastSentAtMs?: number;
  readonly sent: SentEvent[];
  /** Ids of events that the bus neither accepted nor refused. */
  readonly unsure: string[];
  /** Changes applied to partners, in order. */
  readonly changed: Changed[];
  /** How often sending was paused, and for how long in total. */
  stops: number;
  stoppedMs: number;
}

const POLL_INTERVAL_MS = 250;

/**
 * Has Artillery put the events on the bus and applies the changes of partners on time. Rejects when the
 * signal is aborted; `sendLog` then holds what happened by then.
 */
export async function send(
  stage: LabStage,
  sending: Sending,
  sendLog: SendLog,
  delivery: {
    readonly count: DeliveryCount;
    onAcceptance(listener: (eventIds: readonly string[]) => void): void;
  },
): Promise<void> {
  const over = new AbortController();
  const changes = sending.groups.flatMap((group) => group.changes.map((change) => ({ group, change })));
  const carryOut = async ({ group, change }: (typeof changes)[number]) => {
    await apply(
      change,
      sending.partners.filter((partner) => partner.group === group.name),
    );
    sendLog.changed.push({ group: group.name, change, atMs: Date.now() });
  };
  const timed: Promise<void>[] = [];
  const take = (message: FromGenerator) => {
    if (message.kind === 'unsure') sendLog.unsure.push(...message.event_ids);
    if (message.kind !== 'sent') return;
    if (sendLog.firstSentAtMs === undefined) {
      for (const one of changes) {
        const { at } = one.change;
        if (at !== 'end' && at > 0) {
          timed.push(
            delay(at * 1_000, undefined, { signal: over.signal }).then(
              () => carryOut(one),
              () => {},
            ),
          );
        }
      }
    }
    for (const event of message.events) {
      sendLog.firstSentAtMs = Math.min(sendLog.firstSentAtMs ?? event.sent_at_ms, event.sent_at_ms);
      sendLog.lastSentAtMs = Math.max(sendLog.lastSentAtMs ?? 0, event.sent_at_ms);
      sendLog.sent.push(event);
    }
    delivery.count.sent(message.events);
  };
  const backpressure = sending.stopsWhenManyWait ? await backpressureWatch(stage, sending.run) : undefined;
  let throttling: ReturnType<typeof repeating> | undefined;
  try {
    await Promise.all(changes.filter(({ change }) => change.at === 0).map(carryOut));
    const artillery = await startArtillery(
      sending.script,
      {
        run: sending.run,
        busName: stage.busName,
        services: sending.partners.map(({ serviceId }) => serviceId),
        types: stage.types,
        eventsPerPayment: sending.eventsPerPayment,
        bodyBytes: sending.bodyBytes,
        durationMs: sending.durationMs,
      },
      { directory: sending.directory, environment: stage.environment, signal: sending.signal, take },
    );
    delivery.onAcceptance((event_ids) => artillery.tell({ kind: 'accepted', event_ids }));
    throttling =
      backpressure && repeating(throttle(backpressure, sending, sendLog, artillery.tell), POLL_INTERVAL_MS);
    await (throttling === undefined ? artillery.ended : Promise.race([artillery.ended, throttling.failed]));
  } finally {
    over.abort();
    await throttling?.stop().catch(() => {});
    await backpressure?.stop();
    await Promise.all(timed);
  }
  await Promise.all(changes.filter(({ change }) => change.at === 'end').map(carryOut));
}

/** Pauses the generator while many messages of its subscriptions wait. */
function throttle(
  watch: Pick<BackpressureWatch, 'poll' | 'isOverloaded'>,
  { partners }: Pick<Sending, 'partners'>,
  sendLog: SendLog,
  tell: RunningArtillery['tell'],
): () => Promise<void> {
  const own = new Set(partners.flatMap(({ subscriptionIds }) => subscriptionIds));
  let stoppedAtMs: number | undefined;
  return async () => {
    await watch.poll();
    const isOverloaded = watch.isOverloaded(own);
    if (isOverloaded && stoppedAtMs === undefined) {
      stoppedAtMs = performance.now();
      sendLog.stops += 1;
      tell({ kind: 'may_send', may_send: false });
    } else if (!isOverloaded && stoppedAtMs !== undefined) {
      sendLog.stoppedMs += performance.now() - stoppedAtMs;
      stoppedAtMs = undefined;
      tell({ kind: 'may_send', may_send: true });
    }
  };
}
