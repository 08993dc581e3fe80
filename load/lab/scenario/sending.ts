import { setTimeout as delay } from 'node:timers/promises';
import type { SentEvent } from '../../artillery/link.ts';
import type { Counts } from '../findings/delivery-count.ts';
import type { Changed } from '../findings/periods.ts';
import type { Customer } from '../partners/partner.ts';
import { apply, type FilledPartners } from '../partners/partner-groups.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { repeating } from '../watch/repeating.ts';
import { type WaitingSignal, waitingSignal } from '../watch/waiting-signal.ts';
import { type ArtilleryScript, runArtillery } from './artillery.ts';
import { generatorLink } from './generator-link.ts';

export interface Sending {
  readonly run: string;
  readonly script: ArtilleryScript;
  readonly customers: readonly Customer[];
  readonly groups: readonly FilledPartners[];
  readonly eventsPerPayment: number;
  readonly bodyBytes: number;
  readonly durationMs: number;
  readonly stopsWhenManyWait: boolean;
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** What happened while it was sent. */
export interface Course {
  /** Of the first event; undefined when there was none. */
  firstSentAtMs?: number;
  lastSentAtMs?: number;
  readonly sent: SentEvent[];
  /** Ids of events that the bus neither took nor refused. */
  readonly unsure: string[];
  /** What partners have changed to, in the order in which it came into force. */
  readonly changed: Changed[];
  /** How often the generator was stopped, and for how long. */
  stops: number;
  stoppedMs: number;
}

const LOOK_EVERY_MS = 250;

/** Has Artillery put the events on the bus, and partners change when it is time. Rejects when the signal is aborted; `course` holds what there is. */
export async function send(
  stage: LabStage,
  sending: Sending,
  course: Course,
  known: { readonly counts: Counts; onAcceptance(hear: (eventIds: readonly string[]) => void): void },
): Promise<void> {
  const over = new AbortController();
  const changes = sending.groups.flatMap((group) => group.changes.map((change) => ({ group, change })));
  const carryOut = async ({ group, change }: (typeof changes)[number]) => {
    await apply(
      change,
      sending.customers.filter((customer) => customer.group === group.name),
    );
    course.changed.push({ group: group.name, change, atMs: Date.now() });
  };
  const timed: Promise<void>[] = [];
  const link = await generatorLink((message) => {
    if (message.kind === 'unsure') {
      course.unsure.push(...message.event_ids);
      return;
    }
    if (course.firstSentAtMs === undefined) {
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
      course.firstSentAtMs = Math.min(course.firstSentAtMs ?? event.sent_at_ms, event.sent_at_ms);
      course.lastSentAtMs = Math.max(course.lastSentAtMs ?? 0, event.sent_at_ms);
      course.sent.push(event);
    }
    known.counts.sent(message.events);
  });
  known.onAcceptance((event_ids) => link.tell({ kind: 'accepted', event_ids }));
  const signalOfWaiting = sending.stopsWhenManyWait ? await waitingSignal(stage, sending.run) : undefined;
  const obeying =
    signalOfWaiting && repeating(obey(signalOfWaiting, sending, course, link.tell), LOOK_EVERY_MS);
  try {
    await Promise.all(changes.filter(({ change }) => change.at === 0).map(carryOut));
    const artillery = runArtillery(
      sending.script,
      {
        port: link.port,
        run: sending.run,
        busName: stage.busName,
        services: sending.customers.map(({ serviceId }) => serviceId),
        eventsPerPayment: sending.eventsPerPayment,
        bodyBytes: sending.bodyBytes,
        durationMs: sending.durationMs,
      },
      { directory: sending.directory, environment: stage.environment, signal: sending.signal },
    );
    await (obeying === undefined ? artillery : Promise.race([artillery, obeying.failed]));
  } finally {
    over.abort();
    await obeying?.stop().catch(() => {});
    await signalOfWaiting?.stop();
    await link.stop();
    await Promise.all(timed);
  }
  await Promise.all(changes.filter(({ change }) => change.at === 'end').map(carryOut));
}

/** Stops the generator when many messages of one of its subscriptions wait, and lets it go on when they have eased. */
function obey(
  signal: Pick<WaitingSignal, 'look' | 'isCrowded'>,
  { customers }: Pick<Sending, 'customers'>,
  course: Course,
  tell: Awaited<ReturnType<typeof generatorLink>>['tell'],
): () => Promise<void> {
  const own = new Set(customers.flatMap(({ subscriptionIds }) => subscriptionIds));
  let stoppedAtMs: number | undefined;
  return async () => {
    await signal.look();
    const isCrowded = signal.isCrowded(own);
    if (isCrowded && stoppedAtMs === undefined) {
      stoppedAtMs = performance.now();
      course.stops += 1;
      tell({ kind: 'may_send', may_send: false });
    } else if (!isCrowded && stoppedAtMs !== undefined) {
      course.stoppedMs += performance.now() - stoppedAtMs;
      stoppedAtMs = undefined;
      tell({ kind: 'may_send', may_send: true });
    }
  };
}
