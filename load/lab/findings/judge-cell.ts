import type { Partner } from '../partners/partner.ts';
import type { PartnerGroup } from '../partners/partner-groups.ts';
import type { Cell } from '../plan/cells.ts';
import type { SendLog } from '../scenario/sending.ts';
import type { DeliveryCount } from './delivery-count.ts';
import type { Findings } from './findings.ts';
import { type Gathered, recordedNow } from './gather-facts.ts';
import { beforeAndDuring } from './isolation.ts';
import { attemptsByOutcome, groupOf, latenciesOf, sustainedPerSecond } from './measurements.ts';
import { periodsOf } from './periods.ts';
import { pointsOf, secondWidth } from './points.ts';
import { verdict } from './verdict.ts';

/** How many waiting messages have ended without success. */
export async function endedAmongWaiting(count: DeliveryCount, partners: readonly Partner[]): Promise<number> {
  const recorded = await recordedNow(partners);
  return count.waiting().filter(({ messageId }) => {
    const state = recorded.get(messageId)?.state;
    return state === 'exhausted' || state === 'cancelled';
  }).length;
}

interface JudgeOptions {
  readonly isInterrupted: boolean;
  /** Seconds before the trouble; 0 or absent: no trouble, or from the beginning. */
  readonly baseline?: number;
}

/** Judges what became of everything sent, and measures it. */
export function judgeCell(
  cell: Cell,
  facts: Gathered,
  groups: readonly PartnerGroup[],
  { sent, changed, firstSentAtMs = Date.now(), lastSentAtMs = firstSentAtMs }: SendLog,
  { isInterrupted, baseline = 0 }: JudgeOptions,
): Findings {
  const { expected } = facts;
  const { waiting, reordered, ...promises } = verdict(
    {
      expected,
      recorded: facts.recorded,
      receipts: facts.receiptsByEndpoint,
      attemptsOf: (id) => facts.attempts.get(id),
    },
    { isInterrupted },
  );
  const lastAtMs = expected.reduce(
    (last, { messageId }) => Math.max(last, facts.acceptedAtMs.get(messageId) ?? 0),
    lastSentAtMs,
  );
  const seconds = (lastAtMs - firstSentAtMs) / 1_000;
  const periods = periodsOf(groups, changed, { fromMs: firstSentAtMs, seconds, baseline });
  const isCell = cell.name !== 'all';
  const sustained = sustainedPerSecond(facts, expected, { fromMs: firstSentAtMs, toMs: lastSentAtMs });
  const group = (name: string, own: typeof expected) => groupOf(name, facts, own, seconds);
  return {
    started_at: new Date(firstSentAtMs).toISOString(),
    seconds,
    sent: sent.length,
    sending_seconds: Math.max(1, (lastSentAtMs - firstSentAtMs) / 1_000),
    promises,
    gaps: [],
    attempts: attemptsByOutcome(facts),
    groups: isCell
      ? [
          {
            ...group(cell.name, expected),
            place: cell.place,
            sustained_per_second: sustained,
          },
        ]
      : groups.map(({ name, changes }) => {
          const own = expected.filter((one) => one.group === name);
          return {
            ...group(name, own),
            ...(baseline > 0
              ? beforeAndDuring(
                  facts,
                  own,
                  { fromMs: firstSentAtMs, untilMs: firstSentAtMs + baseline * 1_000 },
                  changes.length === 0,
                )
              : {}),
          };
        }),
    latencies: latenciesOf(facts),
    second_width: secondWidth(seconds),
    points: pointsOf(facts, firstSentAtMs, seconds),
    ...(periods.length === 0 ? {} : { periods }),
    is_interrupted: isInterrupted,
    remarks: [
      ...(isInterrupted && waiting > 0
        ? [`${waiting} messages were in progress when the run was interrupted.`]
        : []),
      ...(reordered.length > 0
        ? [
            `EventBridge delivered ${reordered.length} events before an earlier one of their payment. Order is judged from intake on.`,
          ]
        : []),
    ],
  };
}
