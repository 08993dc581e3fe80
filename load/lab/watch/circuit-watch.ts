import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { STAGES } from '../../../lib/stages.ts';
import type { Customer } from '../partners/partner.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { toldQueue } from './told-queue.ts';

const openedSchema = z.object({
  detail: z.object({
    type: z.literal('circuit.opened'),
    id: z.string(),
    at: z.string(),
    subscription_id: z.string(),
  }),
});

/** How often circuits opened. The same may be told twice. */
export function openings() {
  const known = new Map<string, { readonly atMs: number; readonly subscriptionId: string }>();
  return {
    heard(text: string): void {
      const { id, at, subscription_id } = openedSchema.parse(JSON.parse(text)).detail;
      known.set(id, { atMs: Date.parse(at), subscriptionId: subscription_id });
    },
    /** From `fromMs` (since 1970) on: what opened while workers were warmed up is not the run's. */
    of: (subscriptionIds: ReadonlySet<string>, fromMs: number) =>
      [...known.values()].filter(
        ({ atMs, subscriptionId }) => atMs >= fromMs && subscriptionIds.has(subscriptionId),
      ).length,
  };
}

/** How the circuits of a group fared: how many ended in each state, and how often they opened. */
export interface Circuits {
  readonly states: Readonly<Record<string, number>>;
  readonly opened: number;
}

export interface CircuitWatch {
  look(): Promise<void>;
  /** Waits until all are closed, or would be if they were to close; answers them by group. */
  settled(fromMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, Circuits>>;
  stop(): Promise<void>;
}

const SLEEP_MS = 500;
/** Ticks and the store take a while besides. */
const RESERVE_MS = 10_000;

/** Watches the circuits of a run's partners: on the bus and in the API, as anybody could. */
export async function circuitWatch(
  stage: LabStage,
  run: string,
  customers: readonly Pick<Customer, 'group' | 'subscriptionIds' | 'circuits'>[],
): Promise<CircuitWatch> {
  const told = await toldQueue(stage, `payhooks-load-${run}-circuits`, ['circuit.opened']);
  const heard = openings();
  const look = async () => {
    for (let isMore = true; isMore; ) {
      const texts = await told.take();
      for (const text of texts) heard.heard(text);
      isMore = texts.length > 0;
    }
  };
  return {
    look,
    async settled(fromMs, signal) {
      const endsAtMs = performance.now() + patienceMs(stage.name);
      for (;;) {
        const states = await Promise.all(customers.map((customer) => customer.circuits()));
        const areClosed = states.flat().every((state) => state === 'closed');
        if (areClosed || signal.aborted || performance.now() >= endsAtMs) break;
        await delay(SLEEP_MS, undefined, { signal }).catch(() => {});
      }
      await look();
      return circuitsBy(customers, heard.of, fromMs);
    },
    stop: told.stop,
  };
}

async function circuitsBy(
  customers: readonly Pick<Customer, 'group' | 'subscriptionIds' | 'circuits'>[],
  openedOf: ReturnType<typeof openings>['of'],
  fromMs: number,
): Promise<ReadonlyMap<string, Circuits>> {
  const groups = new Map<string, Circuits>();
  for (const [group, own] of Map.groupBy(customers, (customer) => customer.group)) {
    const states: Record<string, number> = {};
    for (const customer of own) {
      for (const state of await customer.circuits()) states[state] = (states[state] ?? 0) + 1;
    }
    const ids = new Set(own.flatMap(({ subscriptionIds }) => subscriptionIds));
    groups.set(group, { states, opened: openedOf(ids, fromMs) });
  }
  return groups;
}

/** A drain ends when nothing has waited for long for so long. */
function patienceMs(stage: string): number {
  const { circuit } = STAGES[stage as keyof typeof STAGES]?.deliveryPolicy ?? DELIVERY_POLICY;
  return circuit.quietMs + RESERVE_MS;
}
