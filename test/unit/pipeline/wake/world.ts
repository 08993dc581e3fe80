import { type Answers, NO_ANSWERS } from '../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit, In } from '../../../../functions/core/circuit/circuit.ts';
import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import type { PastMessage, PastPage, Recovery } from '../../../../functions/core/message/recovery.ts';
import type { InBacklog } from '../../../../functions/core/ordering/circuit-timer.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import type { Timer } from '../../../../functions/core/signal/timer.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import type { FiredTimer, WakePorts } from '../../../../functions/pipeline/wake/ports.ts';
import { wake } from '../../../../functions/pipeline/wake/wake.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { Dice } from '../../../support/dice.ts';
import { timerName } from '../../../support/timer-name.ts';
import { messageRecord } from '../../api/builders.ts';

export const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);

const lasting = { revision: 7, generation: 3, timer_at: at(0), failed_ordering_keys: [] };
/** In a drain for a while: an earlier timer has read what was counted of its answers. */
export const draining = (over: Partial<In<'draining'>> = {}): Circuit => ({
  ...lasting,
  state: 'draining',
  window: 1,
  answers: NO_ANSWERS,
  ...over,
});
export const cooledDown = (over: Partial<In<'open'>> = {}): Circuit => ({
  ...lasting,
  state: 'open',
  cool_down_ms: 10_000,
  probe_at: at(0),
  ...over,
});

export function circuitTimer(over: { subscription_id?: string; generation?: number } = {}): Timer {
  return { v: 1, kind: 'circuit', service_id: 'bakery', subscription_id: 'sub_1', generation: 3, ...over };
}

export function signalTimer(payment_id: string): Timer {
  const subscription_id = 'sub_1';
  return { v: 1, kind: 'signal', service_id: 'bakery', subscription_id, payment_id, signal_kind: 'resume' };
}

export function gapTimer(payment_id: string): Timer {
  return gapSignal({ service_id: 'bakery', payment_id, group: 'shard-01' });
}

/** An ordering key that has been in the backlog for a minute. */
export function inBacklog(payment_id: string, over: Partial<InBacklog> = {}): InBacklog {
  const subscription_id = over.subscription_id ?? 'sub_1';
  return {
    state: 'backlogged',
    ordering_key: `${subscription_id}.${payment_id}`,
    service_id: 'bakery',
    subscription_id,
    payment_id,
    revision: 1,
    oldest_since: at(-60_000),
    backlogged_at: at(-60_000),
    check_at: at(-60_000),
    age_check_at: at(76 * 3_600_000),
    ...over,
  };
}

/** A message that was given up, by its number and when it was admitted. */
export function pastMessage(
  number: number,
  admittedMs: number,
  over: Partial<PastMessage> = {},
): PastMessage {
  return {
    message_id: `msg_${number}`,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: `pay-${number}`,
    event_type: 'card_payment_captured',
    order_number: String(number),
    admitted_at: at(admittedMs),
    state: 'exhausted',
    ...over,
  };
}

/** Payments in the backlog, longest waiting first. */
export function backlogOf(count: number): InBacklog[] {
  return Array.from({ length: count }, (_, position) =>
    inBacklog(`pay-${position}`, { backlogged_at: at(position - 60_000) }),
  );
}

interface Over {
  readonly circuits?: Readonly<Record<string, Circuit>>;
  readonly backlog?: readonly InBacklog[];
  readonly recovery?: Recovery;
  /** In the order of their intake. */
  readonly history?: readonly PastMessage[];
  /** The amount that the resource of a message names. @default - nothing is left of any */
  readonly amounts?: Readonly<Record<string, number>>;
  /** Messages, of different instants, that a page holds. */
  readonly pageSize?: number;
  /** What was ever counted of the answers of any of them. @default - one success */
  readonly answers?: Partial<Answers>;
  /** How often a drain polls between two timers. @default - not at all */
  readonly lookAgainMs?: number;
  /** What fails, with its ports' own promises otherwise kept. */
  readonly ports?: (healthy: WakePorts) => Partial<WakePorts>;
}

function pageOf(messages: readonly PastMessage[], size: number): PastPage {
  const next = messages[size];
  return {
    messages: messages.slice(0, size),
    ...(next === undefined ? {} : { continueAt: next.admitted_at }),
  };
}

/** Tables and queues in memory. What was done is told in `log`, in order. */
export function world({
  circuits = {},
  backlog = [],
  recovery,
  history = [],
  amounts = {},
  pageSize = 1_000,
  answers = { succeeded: 1 },
  lookAgainMs = 1_000,
  ports: broken,
}: Over = {}) {
  const dice = new Dice(1);
  let nowMs = TEN_O_CLOCK_MS;
  const log: string[] = [];
  const faults: unknown[] = [];
  const subscriptions = new Map<string, Subscription>(
    Object.entries(circuits).map(([subscription_id, circuit]) => [
      subscription_id,
      subscription({ subscription_id, circuit }),
    ]),
  );
  const recoveries = new Map(recovery && [[recovery.subscription_id, recovery]]);
  const keys = new Map(backlog.map((key) => [key.ordering_key, key]));
  const healthy: WakePorts = {
    subscription: async ({ subscription_id }) => subscriptions.get(subscription_id),
    backlog: async (subscriptionId, max, from = '') =>
      backlog
        .filter(
          ({ subscription_id, backlogged_at }) => subscription_id === subscriptionId && backlogged_at >= from,
        )
        .slice(0, max),
    newestOfBacklog: async (subscriptionId, max) =>
      backlog.filter(({ subscription_id }) => subscription_id === subscriptionId).slice(-max),
    waiting: async () => 0,
    drains: async () => 1,
    recovering: async () => 1,
    contents: async (messages) =>
      new Map(
        messages.flatMap(({ message_id }) => {
          const amount = amounts[message_id];
          const content = { record: messageRecord({ message_id }), resource: JSON.stringify({ amount }) };
          return amount === undefined ? [] : [[message_id, content] as const];
        }),
      ),
    answers: async () => ({ ...NO_ANSWERS, ...answers }),
    slowAttempts: async () => ({ own: 0, all: 0 }),
    async replaceEndpointHealth({ subscription_id }, before, after) {
      const known = subscriptions.get(subscription_id);
      if (known?.circuit?.revision !== before.circuit.revision) {
        return false;
      }
      subscriptions.set(subscription_id, { ...known, ...after });
      log.push(`${subscription_id} ${after.circuit.state}`);
      return true;
    },
    async moveCheck(key, check_at) {
      const known = keys.get(key.ordering_key);
      if (known?.check_at !== key.check_at) {
        return false;
      }
      keys.set(key.ordering_key, { ...known, check_at });
      return true;
    },
    async revise({ subscription_id }, decide) {
      const before = subscriptions.get(subscription_id)!;
      const decided = decide(before);
      if ('status' in decided) {
        return decided;
      }
      subscriptions.set(subscription_id, decided.subscription);
      log.push(`${subscription_id} ${decided.subscription.state}`);
      return { before, after: decided.subscription };
    },
    async keepChange({ operation, subscription_id }) {
      log.push(`${operation} ${subscription_id}`);
    },
    recoveries: {
      find: async ({ subscription_id }) => recoveries.get(subscription_id),
      async advance(before, after) {
        const known = recoveries.get(before.subscription_id);
        if (known?.recovery_id !== before.recovery_id || known.step !== before.step) {
          return false;
        }
        recoveries.set(after.subscription_id, after);
        log.push(`${after.recovery_id} ${after.state} ${after.step}`);
        return true;
      },
    },
    pastMessages: async ({ subscription_id, continue_at, until }) =>
      pageOf(
        history
          .filter((one) => one.subscription_id === subscription_id)
          .filter(({ admitted_at }) => admitted_at >= continue_at && admitted_at < until),
        pageSize,
      ),
    async signalGaps(signals) {
      log.push(`look into ${signals.map(({ payment_id }) => payment_id).join(', ')}`);
      return [];
    },
    async signal(signals) {
      log.push(
        `signal ${signals.map(({ signal_kind: signalKind, payment_id, message_id }) => `${signalKind} ${message_id ?? payment_id}`).join(', ')}`,
      );
      return [];
    },
    async arm(armings) {
      for (const { timer, dueAtMs } of armings) {
        log.push(`arm ${timerName(timer)} at ${dueAtMs - TEN_O_CLOCK_MS}`);
      }
    },
    observer: {
      timerFired: ({ subscription_id }, _before, _after, signalled) =>
        log.push(`${subscription_id} signalled ${signalled}`),
      recovered: (before, after) =>
        log.push(`${after.recovery_id} resent ${after.resent_count - before.resent_count}`),
      stale: (timer) => log.push(`stale ${timer.subscription_id}`),
      internalError: (error) => faults.push(error),
    },
    now: () => nowMs,
    draw: () => dice.draw(),
    async after(ms) {
      nowMs += ms;
    },
  };
  const ports = { ...healthy, ...broken?.(healthy) };
  return {
    log,
    faults,
    keys,
    subscriptions,
    recoveries,
    pass: (ms: number) => {
      nowMs += ms;
    },
    health: (subscriptionId: string): EndpointHealth =>
      endpointHealthOf(subscriptions.get(subscriptionId) as Subscription),
    change: (subscriptionId: string, circuit: Circuit) =>
      subscriptions.set(subscriptionId, { ...(subscriptions.get(subscriptionId) as Subscription), circuit }),
    /** Sets off timers, the records called by their position; answers those that are received again. */
    wake: (...timers: Timer[]) =>
      wake(
        timers.map((timer, index): FiredTimer => ({ recordId: String(index), timer })),
        ports,
        { ...DELIVERY_POLICY, circuit: { ...DELIVERY_POLICY.circuit, lookAgainMs } },
      ),
  };
}
