import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { STAGES } from '../../../payhooks.config.ts';
import type { Partner } from '../partners/partner.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { operationalEventQueue } from './operational-event-queue.ts';

const openedSchema = z.object({
  detail: z.object({
    type: z.literal('circuit.opened'),
    id: z.string(),
    at: z.string(),
    subscription_id: z.string(),
  }),
});

/** How often circuits opened. An event may arrive twice. */
export function openings() {
  const known = new Map<string, { readonly atMs: number; readonly subscriptionId: string }>();
  return {
    add(text: string): void {
      const { id, at, subscription_id } = openedSchema.parse(JSON.parse(text)).detail;
      known.set(id, { atMs: Date.parse(at), subscriptionId: subscription_id });
    },
    /** Since `fromMs` (ms since 1970): openings during the warm-up do not belong to the run. */
    of: (subscriptionIds: ReadonlySet<string>, fromMs: number) =>
      [...known.values()].filter(
        ({ atMs, subscriptionId }) => atMs >= fromMs && subscriptionIds.has(subscriptionId),
      ).length,
  };
}

/** Circuits of a group: how many ended in each state, and how often they opened. */
export interface Circuits {
  readonly states: Readonly<Record<string, number>>;
  readonly opened: number;
}

export interface CircuitWatch {
  poll(): Promise<void>;
  /** Waits until all circuits are closed, or have had the time to close. Returns them by group. */
  settled(fromMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, Circuits>>;
  stop(): Promise<void>;
}

const SLEEP_MS = 500;
/** Slack for circuit timers and the store. */
const SLACK_MS = 10_000;

/** Follows the circuits of a run's partners on the bus and through the API, as any user could. */
export async function circuitWatch(
  stage: LabStage,
  run: string,
  partners: readonly Pick<Partner, 'group' | 'subscriptionIds' | 'circuits'>[],
): Promise<CircuitWatch> {
  const queue = await operationalEventQueue(stage, `payhooks-load-${run}-circuits`, ['circuit.opened']);
  const opened = openings();
  const poll = async () => {
    for (let isMore = true; isMore; ) {
      const texts = await queue.take();
      for (const text of texts) opened.add(text);
      isMore = texts.length > 0;
    }
  };
  return {
    poll,
    async settled(fromMs, signal) {
      const endsAtMs = performance.now() + patienceMs(stage.name);
      for (;;) {
        const states = await Promise.all(partners.map((partner) => partner.circuits()));
        const areClosed = states.flat().every((state) => state === 'closed');
        if (areClosed || signal.aborted || performance.now() >= endsAtMs) break;
        await delay(SLEEP_MS, undefined, { signal }).catch(() => {});
      }
      await poll();
      return circuitsBy(partners, opened.of, fromMs);
    },
    stop: queue.stop,
  };
}

async function circuitsBy(
  partners: readonly Pick<Partner, 'group' | 'subscriptionIds' | 'circuits'>[],
  openedOf: ReturnType<typeof openings>['of'],
  fromMs: number,
): Promise<ReadonlyMap<string, Circuits>> {
  const groups = new Map<string, Circuits>();
  for (const [group, own] of Map.groupBy(partners, (partner) => partner.group)) {
    const states: Record<string, number> = {};
    for (const partner of own) {
      for (const state of await partner.circuits()) states[state] = (states[state] ?? 0) + 1;
    }
    const ids = new Set(own.flatMap(({ subscriptionIds }) => subscriptionIds));
    groups.set(group, { states, opened: openedOf(ids, fromMs) });
  }
  return groups;
}

/** A drain ends once nothing has waited for `quietMs`. */
function patienceMs(stage: string): number {
  const { circuit } = STAGES[stage as keyof typeof STAGES]?.deliveryPolicy ?? DELIVERY_POLICY;
  return circuit.quietMs + SLACK_MS;
}
