import { type Fed, takeMessages } from '../../../functions/api/feed/take-messages.ts';
import { type Taken, takeResults } from '../../../functions/api/feed/take-results.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import type { Surface } from '../surface.ts';
import { askFeed } from '../workers/feed-worker.ts';
import type { Surroundings } from '../workers/invocation.ts';

/** What a puller does with a message. */
const HABITS = ['delivers', 'delivers', 'delivers', 'fails', 'forgets', 'is late', 'says it twice'] as const;
export type Habit = (typeof HABITS)[number];

/** A message as it came to the puller, and what became of it. */
export interface HandedOut extends Fed {
  readonly key: string;
  readonly atMs: number;
  readonly habit: Habit;
  /** When it knew what the feed made of its result, and that. */
  readonly heard: { readonly atMs: number; readonly state: Taken['state'] }[];
}

const LEASE_MS = 30_000;
const POLLS_EVERY_MS = [200, 3_000] as const;
/** While nothing waits, and once nothing is published any more. */
const RARELY_MS = 60_000;
const TRIES = 4;

/**
 * A partner who fetches messages with two workers at once, is slow, dies with messages in hand, and reports late
 * or twice, until all is well.
 *
 * @returns what it was handed, in order; it grows with time
 */
export function letPull(
  subscriptionId: string,
  times: { readonly wellAtMs: number; readonly lastAtMs: number },
  around: Surroundings,
  surface: Surface,
): HandedOut[] {
  const handed: HandedOut[] = [];
  const { clock, dice } = around;

  async function poll(): Promise<void> {
    const isIdle = clock.now() > times.lastAtMs || surface.keys.keys.size === 0;
    clock.at(clock.now() + (isIdle ? RARELY_MS : dice.whole(...POLLS_EVERY_MS)), () => void poll());
    const known = surface.subscriptions.one(subscriptionId);
    if (known === undefined || known.state === 'deleted') {
      return;
    }
    const fed = await askFeed(around, surface, async (ports) => {
      const { subscriptions, secrets } = await ports.lookUp({
        ...{ subscriptions: [known], keys: [], messageIds: [], resources: [] },
      });
      const subscription = subscriptions.get(subscriptionId);
      const kept = secrets.get(subscriptionId);
      const limit = dice.whole(1, 20);
      return subscription === undefined || kept === undefined
        ? []
        : takeMessages({ subscription, kept, limit, leaseMs: LEASE_MS }, ports);
    });
    for (const one of fed ?? []) {
      void handle(one, known.service_id);
    }
  }

  async function handle(fed: Fed, service_id: string): Promise<void> {
    const habit = clock.now() > times.wellAtMs ? 'delivers' : HABITS[dice.whole(0, HABITS.length - 1)]!;
    const key = orderingKey({ subscription_id: subscriptionId, payment_id: fed.payment_id });
    const one: HandedOut = { ...fed, key, atMs: clock.now(), habit, heard: [] };
    handed.push(one);
    around.tell(() => `puller: is handed ${fed.message_id}, attempt ${fed.attempt}, and ${habit}`);
    if (habit === 'forgets') {
      return;
    }
    await clock.after(habit === 'is late' ? dice.whole(20_000, 60_000) : dice.whole(5, 3_000));
    const outcome = habit === 'fails' ? 'failed' : 'delivered';
    const said = [{ lease_id: fed.lease_id, outcome } as const];
    const results = habit === 'says it twice' ? [...said, ...said] : said;
    for (let tries = 0; tries < TRIES && one.heard.length === 0; tries += 1) {
      const taken = await askFeed(around, surface, (ports) =>
        takeResults({ service_id, subscription_id: subscriptionId }, results, ports),
      );
      one.heard.push(...(taken ?? []).map(({ state }) => ({ atMs: clock.now(), state })));
    }
  }

  for (const worker of [1, 2]) {
    clock.at(clock.now() + worker, () => void poll());
  }
  return handed;
}
