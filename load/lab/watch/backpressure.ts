import * as z from 'zod';
import type { LabStage } from '../stage/lab-stage.ts';
import { operationalEventQueue } from './operational-event-queue.ts';

const TYPES = ['messages.waiting', 'messages.waiting.eased'] as const;
const eventSchema = z.object({
  detail: z.object({ type: z.enum(TYPES), at: z.string(), subscription_id: z.string() }),
});

/**
 * Subscriptions with too many waiting messages. Events may arrive in any order and more than once: the latest
 * counts.
 */
export function overloads() {
  const last = new Map<string, { readonly at: string; readonly isOverloaded: boolean }>();
  return {
    add(text: string): void {
      const { detail } = eventSchema.parse(JSON.parse(text));
      const known = last.get(detail.subscription_id);
      if (known === undefined || known.at <= detail.at) {
        last.set(detail.subscription_id, { at: detail.at, isOverloaded: detail.type === 'messages.waiting' });
      }
    },
    isOverloaded: (subscriptionIds: ReadonlySet<string>) =>
      [...last].some(([id, { isOverloaded }]) => isOverloaded && subscriptionIds.has(id)),
  };
}

/** Follows the operational events about waiting messages. */
export async function backpressureWatch(stage: LabStage, run: string) {
  const queue = await operationalEventQueue(stage, `payhooks-load-${run}`, TYPES);
  const subscriptions = overloads();
  return {
    isOverloaded: subscriptions.isOverloaded,
    async poll(): Promise<void> {
      for (const text of await queue.take()) subscriptions.add(text);
    },
    stop: queue.stop,
  };
}
export type BackpressureWatch = Awaited<ReturnType<typeof backpressureWatch>>;
