import type { Group } from '../../results/run-result.ts';
import { type DeliveryCount, deliveryCount } from '../findings/delivery-count.ts';
import type { Findings } from '../findings/findings.ts';
import { gapsOf } from '../findings/gaps.ts';
import { gatherFacts } from '../findings/gather-facts.ts';
import { endedAmongWaiting, judgeCell } from '../findings/judge-cell.ts';
import type { Partner } from '../partners/partner.ts';
import type { PartnerGroup } from '../partners/partner-groups.ts';
import { artilleryScript, plannedSeconds } from '../scenario/artillery.ts';
import { type SendLog, send } from '../scenario/sending.ts';
import type { EmptyPipeline } from '../stage/empty-pipeline.ts';
import { waitUntilDrained } from '../watch/drain.ts';
import type { Progress } from '../watch/progress.ts';
import { queueWatch, repeating } from '../watch/queue-watch.ts';
import type { CellRun } from './cell-run.ts';

const POLL_INTERVAL_MS = 100;
const WATCH_INTERVAL_MS = 2_000;

/** Sends the events of a cell, waits until all are delivered, and judges. */
export async function measureCell(
  given: CellRun,
  partners: readonly Partner[],
  groups: readonly PartnerGroup[],
  pipeline: Pick<EmptyPipeline, 'stop'>,
): Promise<Findings> {
  const { stage, scenario, parameters, run } = given;
  // A failure of the watchers also ends the sending.
  const failed = new AbortController();
  const signal = AbortSignal.any([given.signal, failed.signal]);
  const script = artilleryScript(scenario, parameters);
  const eventsPerPayment = Number(parameters.events_per_payment ?? 1);
  const baseline = Number(parameters.baseline ?? 0);
  const durationMs = (baseline + Number(parameters.duration ?? 0)) * 1_000;
  const plannedMs = Math.max(durationMs, plannedSeconds(script) * 1_000);
  let onAccepted: (eventIds: readonly string[]) => void = () => {};
  const count = deliveryCount(partners, (eventIds) => onAccepted(eventIds));
  const sendLog: SendLog = { sent: [], unsure: [], changed: [], stops: 0, stoppedMs: 0 };
  const queues = queueWatch(stage);
  let phase = given.cell.name === 'all' ? 'sending' : given.cell.name;
  const stopWatching = given.watch(() => progress(phase, count, sendLog, plannedMs));
  const polling = repeating(count.poll, POLL_INTERVAL_MS);
  const watching = repeating(queues.poll, WATCH_INTERVAL_MS);
  let isInterrupted = false;
  let isDrained = true;
  let waitingAtEnd: number | undefined;
  let sending: Promise<void> | undefined;
  try {
    given.meter?.start();
    sending = send(
      stage,
      {
        run,
        script,
        partners,
        groups,
        eventsPerPayment,
        bodyBytes: Number(parameters.body_bytes ?? 0),
        durationMs,
        stopsWhenManyWait: scenario.stops_when_many_wait,
        directory: given.directory,
        signal,
      },
      sendLog,
      {
        count,
        onAcceptance: (listener) => {
          onAccepted = listener;
        },
      },
    );
    await Promise.race([sending, polling.failed, watching.failed]);
    waitingAtEnd = count.waiting().length;
    phase = 'draining';
    isDrained = await waitUntilDrained({
      waiting: () => count.waiting().length,
      endedAmongWaiting: () => endedAmongWaiting(count, partners),
      patienceMs: Number(parameters.patience ?? 60) * 1_000,
      signal,
    });
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled([sending]);
    if (!given.signal.aborted) throw error;
    isInterrupted = true;
  } finally {
    stopWatching();
    await Promise.allSettled([polling.stop(), watching.stop()]);
  }
  given.meter?.stop();
  const empty = await pipeline.stop();
  const facts = await gatherFacts(partners, count.expected);
  const metered = isInterrupted
    ? {}
    : ((await given.meter?.read({
        deliveries: count.accepted(),
        services: new Set(partners.map(({ serviceId }) => serviceId)),
      })) ?? {});
  const findings = judgeCell(given.cell, facts, groups, sendLog, {
    isInterrupted,
    baseline,
  });
  const isCell = given.cell.name !== 'all';
  const named = (lines: string[]) => (isCell ? lines.map((line) => `${given.cell.name}: ${line}`) : lines);
  const offer = { script, eventsPerPayment, isPaced: scenario.artillery.is_paced };
  const { max } = queues;
  const waited =
    waitingAtEnd === undefined ? [] : [`${waitingAtEnd} messages were waiting when sending ended.`];
  const inQueues = `At most ${max.events} messages waited in the events queue and ${max.deliveries} in the deliveries queue.`;
  const remarks = [
    ...(isCell ? [] : [...waited, inQueues]),
    ...remarksOf(sendLog, isDrained),
    ...findings.remarks,
  ];
  return {
    ...findings,
    ...metered,
    empty,
    // Joining cells keeps only their groups.
    groups: findings.groups.map((group) => ({
      ...group,
      ...(isCell ? ofCell(metered, empty) : {}),
    })),
    gaps: isInterrupted ? [] : named(gapsOf(offer, sendLog, facts)),
    remarks: named(remarks),
  };
}

function ofCell(
  { cost, work }: Pick<Findings, 'cost' | 'work'>,
  empty: Findings['empty'],
): Pick<Group, 'work' | 'per_million' | 'empty'> {
  return {
    work,
    ...(cost === undefined ? {} : { per_million: cost.per_million }),
    empty,
  };
}

function remarksOf({ stops, stoppedMs, unsure }: SendLog, isDrained: boolean): string[] {
  const stoppedSeconds = Math.round(stoppedMs / 1_000);
  return [
    ...(stops > 0
      ? [`Sending was paused ${stops} times, ${stoppedSeconds} s in total, because many messages waited.`]
      : []),
    ...(unsure.length > 0
      ? [`The bus neither accepted nor refused ${unsure.length} events: they are left out.`]
      : []),
    ...(isDrained ? [] : ['Deliveries stopped making progress: messages still waiting count as lost.']),
  ];
}

function progress(
  phase: string,
  count: DeliveryCount,
  { sent, firstSentAtMs }: SendLog,
  plannedMs: number,
): Progress {
  const passedMs = Date.now() - (firstSentAtMs ?? Date.now());
  return {
    phase,
    sent: sent.length,
    delivered: count.accepted(),
    waiting: count.waiting().length,
    ...(phase === 'draining' ? {} : { secondsLeft: (plannedMs - passedMs) / 1_000 }),
  };
}
