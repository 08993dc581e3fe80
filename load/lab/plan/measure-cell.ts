import type { MeteredRun } from '../../cost/cost-of-run.ts';
import type { Group } from '../../results/run-result.ts';
import { type Counts, counts } from '../findings/delivery-count.ts';
import type { Findings } from '../findings/findings.ts';
import { type Gathered, gatherFacts } from '../findings/gather-facts.ts';
import { endedAmong, judged } from '../findings/judged.ts';
import { refusals } from '../findings/refusals.ts';
import type { Customer } from '../partners/partner.ts';
import type { FilledPartners } from '../partners/partner-groups.ts';
import { artilleryScript, plannedSeconds } from '../scenario/artillery.ts';
import { type Course, send } from '../scenario/sending.ts';
import type { EmptyPipeline } from '../stage/empty-pipeline.ts';
import { type CircuitWatch, circuitWatch } from '../watch/circuit-watch.ts';
import { drained } from '../watch/drained.ts';
import type { Progress } from '../watch/progress.ts';
import { queueWatch } from '../watch/queue-watch.ts';
import { repeating } from '../watch/repeating.ts';
import { waitingWatch } from '../watch/waiting-watch.ts';
import type { CellRun } from './cell-run.ts';

const LOOK_EVERY_MS = 100;
const WATCH_EVERY_MS = 2_000;

/** Sends, waits until all is delivered, judges. */
export async function measured(
  given: CellRun,
  customers: readonly Customer[],
  groups: readonly FilledPartners[],
  pipeline: Pick<EmptyPipeline, 'stop'>,
): Promise<Findings> {
  const { stage, scenario, parameters, run } = given;
  // What fails beside the sending ends that, too.
  const failed = new AbortController();
  const signal = AbortSignal.any([given.signal, failed.signal]);
  const script = artilleryScript(scenario, parameters);
  const baseline = Number(parameters.baseline ?? 0);
  const durationMs = (baseline + Number(parameters.duration ?? 0)) * 1_000;
  const plannedMs = Math.max(durationMs, plannedSeconds(script) * 1_000);
  let hear: (eventIds: readonly string[]) => void = () => {};
  const count = counts(customers, (eventIds) => hear(eventIds));
  const course: Course = { sent: [], unsure: [], changed: [], stops: 0, stoppedMs: 0 };
  const queues = queueWatch(stage);
  let phase = given.cell.name === 'all' ? 'sending' : given.cell.name;
  const stopWatching = given.watch(() => health(phase, count, course, plannedMs));
  const looking = repeating(count.look, LOOK_EVERY_MS);
  const waiting = waitingWatch(customers, () => course.firstSentAtMs);
  let circuits: CircuitWatch | undefined;
  const lookAround = async () => {
    await queues.look();
    await circuits?.look();
    if (scenario.watches_waiting) await waiting.look();
  };
  const watching = repeating(lookAround, WATCH_EVERY_MS);
  let isInterrupted = false;
  let isDrained = true;
  let waitingAtEnd: number | undefined;
  let sending: Promise<void> | undefined;
  try {
    if (scenario.recovery !== undefined) circuits = await circuitWatch(stage, run, customers);
    given.meter?.start();
    sending = send(
      stage,
      {
        run,
        script,
        customers,
        groups,
        eventsPerPayment: Number(parameters.events_per_payment ?? 1),
        bodyBytes: Number(parameters.body_bytes ?? 0),
        durationMs,
        stopsWhenManyWait: scenario.stops_when_many_wait,
        directory: given.directory,
        signal,
      },
      course,
      {
        counts: count,
        onAcceptance: (listener) => {
          hear = listener;
        },
      },
    );
    await Promise.race([sending, looking.failed, watching.failed]);
    waitingAtEnd = count.waiting().length;
    phase = 'draining';
    isDrained = await drained({
      waiting: () => count.waiting().length,
      endedAmongWaiting: () => endedAmong(count, customers, refusals(groups, course.changed)),
      patienceMs: Number(parameters.patience ?? 60) * 1_000,
      signal,
    });
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled([sending]);
    if (!given.signal.aborted) {
      await circuits?.stop().catch(() => {});
      throw error;
    }
    isInterrupted = true;
  } finally {
    stopWatching();
    await Promise.allSettled([looking.stop(), watching.stop()]);
  }
  given.meter?.stop();
  const empty = await pipeline.stop();
  const fared = await circuits?.settled(course.firstSentAtMs ?? 0, given.signal).finally(circuits.stop);
  const facts = await gatherFacts(customers, count.expected);
  const { remarks: meterRemarks = [], ...metered } = isInterrupted
    ? {}
    : ((await given.meter?.read(meteredRun(customers, count, facts))) ?? {});
  const findings = judged(given.cell, facts, groups, course, {
    isInterrupted,
    baseline,
    ...(scenario.recovery === undefined || fared === undefined
      ? {}
      : { recovery: { asked: scenario.recovery, circuits: fared } }),
  });
  const isCell = given.cell.name !== 'all';
  const { most: max } = queues;
  const waited = waitingAtEnd === undefined ? [] : [`${waitingAtEnd} messages waited when all was sent.`];
  const inQueues = `In SQS at most ${max.events} (events) and ${max.deliveries} (deliveries) waited at a time.`;
  const remarks = [
    ...(isCell ? [] : [...waited, inQueues]),
    ...remarksOf(course, isDrained),
    ...meterRemarks,
    ...findings.remarks,
  ];
  return {
    ...findings,
    ...metered,
    ...(empty === undefined ? {} : { empty }),
    // Of cells only the groups are left when they are put together.
    groups: findings.groups.map((group) => ({
      ...group,
      ...(isCell ? ofCell(metered, empty) : {}),
      ...(scenario.watches_waiting ? { waiting: waiting.of(group.name) } : {}),
    })),
    remarks: isCell ? remarks.map((remark) => `${given.cell.name}: ${remark}`) : remarks,
  };
}

function meteredRun(customers: readonly Customer[], count: Counts, { receipts }: Gathered): MeteredRun {
  const serviceOf = new Map(
    customers.flatMap(({ serviceId, subscriptionIds }) =>
      subscriptionIds.map((id) => [id, serviceId] as const),
    ),
  );
  return {
    deliveries: count.accepted(),
    messages: count.expected.map(({ messageId, eventId, subscriptionId }) => ({
      messageId,
      eventId,
      serviceId: serviceOf.get(subscriptionId) ?? '',
    })),
    services: new Set(customers.map(({ serviceId }) => serviceId)),
    receipts,
  };
}

function ofCell(
  { cost, work }: Pick<Findings, 'cost' | 'work'>,
  empty: Findings['empty'],
): Pick<Group, 'work' | 'per_million' | 'beside' | 'empty'> {
  return {
    ...(work === undefined ? {} : { work }),
    ...(cost === undefined ? {} : { per_million: cost.per_million }),
    ...(cost?.beside === undefined ? {} : { beside: cost.beside }),
    ...(empty === undefined ? {} : { empty }),
  };
}

function remarksOf({ stops, stoppedMs, unsure }: Course, isDrained: boolean): string[] {
  const stoppedSeconds = Math.round(stoppedMs / 1_000);
  return [
    ...(stops > 0
      ? [`Sending was stopped ${stops} times, ${stoppedSeconds} s in all, because many messages waited.`]
      : []),
    ...(unsure.length > 0
      ? [`The bus did not say whether it took ${unsure.length} events: they are left out.`]
      : []),
    ...(isDrained ? [] : ['Nothing more was delivered: what still waited is counted as lost.']),
  ];
}

function health(phase: string, count: Counts, { sent, firstSentAtMs }: Course, plannedMs: number): Progress {
  const passedMs = Date.now() - (firstSentAtMs ?? Date.now());
  return {
    phase,
    sent: sent.length,
    delivered: count.accepted(),
    waiting: count.waiting().length,
    ...(phase === 'draining' ? {} : { secondsLeft: (plannedMs - passedMs) / 1_000 }),
  };
}
