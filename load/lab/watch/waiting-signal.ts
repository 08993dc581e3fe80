import * as z from 'zod';
import type { LabStage } from '../stage/lab-stage.ts';
import { toldQueue } from './told-queue.ts';

const MANY_WAIT = ['messages.waiting', 'messages.waiting.eased'] as const;
const toldSchema = z.object({
  detail: z.object({ type: z.enum(MANY_WAIT), at: z.string(), subscription_id: z.string() }),
});

/** Which subscriptions have too much waiting. Events may come in either order, and twice: the later one counts. */
export function crowding() {
  const last = new Map<string, { readonly at: string; readonly isMany: boolean }>();
  return {
    heard(text: string): void {
      const { detail } = toldSchema.parse(JSON.parse(text));
      const known = last.get(detail.subscription_id);
      if (known === undefined || known.at <= detail.at) {
        last.set(detail.subscription_id, { at: detail.at, isMany: detail.type === 'messages.waiting' });
      }
    },
    isCrowded: (subscriptionIds: ReadonlySet<string>) =>
      [...last].some(([id, { isMany }]) => isMany && subscriptionIds.has(id)),
  };
}

/** Hears what Payhooks tells of messages that wait. */
export async function waitingSignal(stage: LabStage, run: string) {
  const told = await toldQueue(stage, `payhooks-load-${run}`, MANY_WAIT);
  const heard = crowding();
  return {
    isCrowded: heard.isCrowded,
    async look(): Promise<void> {
      for (const text of await told.take()) heard.heard(text);
    },
    stop: told.stop,
  };
}
export type WaitingSignal = Awaited<ReturnType<typeof waitingSignal>>;
