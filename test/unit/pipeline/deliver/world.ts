import { ANSWER_KINDS, type Answers, NO_ANSWERS } from '../../../../functions/core/attempt/answers.ts';
import type { AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { SlowAttempts } from '../../../../functions/core/circuit/crowding.ts';
import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { messageId, resourceKey } from '../../../../functions/core/message/message.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import type { Outcome, Unwritten } from '../../../../functions/core/message/ports.ts';
import type { BlockedKey, QueuedMessage } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Wanted } from '../../../../functions/core/ordering/delivery-reader.ts';
import type { Commit } from '../../../../functions/core/ordering/ports.ts';
import type { Arming } from '../../../../functions/core/signal/due.ts';
import {
  type OrderingKeyName,
  type Signal,
  type SignalKind,
  signal,
} from '../../../../functions/core/signal/signal.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { deliver } from '../../../../functions/pipeline/deliver/deliver.ts';
import type {
  DeadRecord,
  DeliverPorts,
  Delivery,
  Incoming,
  Signalled,
} from '../../../../functions/pipeline/deliver/ports.ts';
import { delivery, keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { timerName } from '../../../support/timer-name.ts';

export const OK: AttemptResult = { status_code: 200, response_body: 'thanks', duration_ms: 100 };
export const BUSY: AttemptResult = {
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'answered 503',
  duration_ms: 20,
};

/** How many waiting messages are read at a time. */
const PAGE = 3;

interface Over {
  /** How the receiver answers, by the event id; a promise holds the answer back. */
  readonly answer?: (eventId: string) => AttemptResult | Promise<AttemptResult>;
  readonly subscriptions?: Subscription[];
  readonly records?: MessageRecord[];
  readonly resources?: [string, string][];
  readonly faults?: [string, Error][];
  /** What cannot be had just now, by its id or key. */
  readonly untaken?: string[];
  readonly save?: (outcomes: readonly Outcome[]) => Promise<Partial<Unwritten> | undefined>;
  readonly commit?: (commit: Commit) => Promise<'written' | 'overtaken' | undefined>;
  /** How far the clock moves with each attempt, in ms. */
  readonly attemptTakesMs?: number;
  /**
   * What all workers have announced of slow attempts, this one included; undefined when nobody can say.
   * @default - it is alone
   */
  readonly slow?: (own: ReadonlyMap<string, number>) => ReadonlyMap<string, SlowAttempts> | undefined;
}

/**
 * Tables in memory that outlive a batch, and ports that write down what was asked of them, in order. A draw
 * is 0.5, so that delays are those of the schedule. The early release comes when the test says so.
 */
export function world(over: Over = {}) {
  let nowMs = TEN_O_CLOCK_MS + 7;
  let elapse = () => {};
  let tokens = 0;
  let blindMs = 0;
  const log: string[] = [];
  const posts: Parameters<DeliverPorts['post']>[0][] = [];
  const faults: unknown[] = [];
  const asked: Wanted[] = [];
  const deadRecords: DeadRecord[] = [];
  const armed: Arming[] = [];
  const signals: Signal[] = [];
  const counted = new Map<string, Answers>();
  const saidSlow: Record<string, number>[] = [];
  const laterAttempts: NonNullable<Outcome['laterAttempt']>[] = [];
  const keys = new Map<string, BlockedKey>();
  const queuedMessages = new Map<string, QueuedMessage>();
  const records = new Map((over.records ?? []).map((record) => [record.message_id, record]));
  const subscriptions = new Map(
    (over.subscriptions ?? [subscription(), subscription({ subscription_id: 'sub_2' })]).map((one) => [
      one.subscription_id,
      one,
    ]),
  );
  const keep = ({ record, laterAttempt }: Outcome) => {
    records.set(record.message_id, record);
    if (laterAttempt !== undefined) {
      laterAttempts.push(laterAttempt);
    }
  };
  const waitingOf = (key: string) =>
    [...queuedMessages.values()]
      .filter(({ ordering_key }) => ordering_key === key)
      .sort((one, other) => (one.position < other.position ? -1 : 1));
  const ports: DeliverPorts = {
    async lookUp(wanted) {
      asked.push(wanted);
      return {
        subscriptions: new Map(subscriptions),
        secrets: new Map([...subscriptions.keys()].map((id) => [id, keptSecrets()])),
        keys: new Map(keys),
        records: new Map([...records].filter(([id]) => wanted.messageIds.includes(id))),
        resources: new Map(over.resources ?? []),
        internalErrors: new Map(over.faults ?? []),
        untaken: new Set(over.untaken ?? []),
      };
    },
    async waitingIn(key) {
      const all = waitingOf(key);
      const waiting = all.slice(0, PAGE).map((queuedMessage) => {
        const record = records.get(queuedMessage.message_id);
        const resource = new Map(over.resources ?? []).get(record === undefined ? '' : resourceKey(record));
        return {
          queuedMessage,
          ...(record === undefined ? {} : { record }),
          ...(resource === undefined ? {} : { resource }),
        };
      });
      return { waiting, isAll: all.length <= PAGE };
    },
    async post(request) {
      const eventId = eventOf(request.headers['webhook-id'] ?? '');
      posts.push(request);
      log.push(`post ${eventId}`);
      const answer = await (over.answer?.(eventId) ?? OK);
      nowMs += over.attemptTakesMs ?? 0;
      return answer;
    },
    async save(outcomes) {
      const unwritten = {
        untaken: new Set<Outcome>(),
        refused: new Map<Outcome, string>(),
        internalErrors: [],
      };
      const left = { ...unwritten, ...(await over.save?.(outcomes)) };
      const written = outcomes.filter((one) => !left.untaken.has(one) && !left.refused.has(one));
      written.forEach(keep);
      if (written.length > 0) {
        log.push(`save ${written.map(({ record }) => record.event_id).join(' ')}`);
      }
      return left;
    },
    async giveBack(some) {
      log.push(`give back ${some.map(({ recordId }) => recordId).join(', ')}`);
    },
    async deadLetter(some) {
      deadRecords.push(...some);
      return new Set();
    },
    async commit(commit) {
      const answer = await over.commit?.(commit);
      if (answer !== undefined) {
        return answer;
      }
      const { orderingKey, known, next } = commit;
      if (keys.get(orderingKey)?.revision !== known?.revision) {
        return 'overtaken';
      }
      if (next === undefined) {
        keys.delete(orderingKey);
      } else {
        keys.set(orderingKey, next);
      }
      for (const queuedMessage of commit.queuedMessages) {
        queuedMessages.set(`${orderingKey} ${queuedMessage.position}`, queuedMessage);
      }
      for (const position of commit.removed) {
        queuedMessages.delete(`${orderingKey} ${position}`);
      }
      commit.outcomes.forEach(keep);
      log.push(`commit ${orderingKey} ${next?.state ?? 'free'}`);
      return 'written';
    },
    async endLease({ ordering_key, position, id }, result) {
      const queued = queuedMessages.get(`${ordering_key} ${position}`);
      if (queued?.lease?.id !== id) {
        return undefined;
      }
      const lease = { ...queued.lease, result: queued.lease.result ?? result };
      queuedMessages.set(`${ordering_key} ${position}`, { ...queued, lease });
      return lease;
    },
    async changeEndpointHealth(of, change) {
      const current = subscriptions.get(of.subscription_id);
      if (current === undefined) {
        return undefined;
      }
      const before = endpointHealthOf(current);
      const after = change(before);
      const { disabled_reason: _, disabled_at: __, challenge_id: ___, ...rest } = current;
      subscriptions.set(of.subscription_id, { ...rest, ...after });
      log.push(`${of.subscription_id} ${after.state} ${after.circuit.state}`);
      return { before, after };
    },
    async countAnswers(subscriptionId, answers) {
      const known = counted.get(subscriptionId) ?? NO_ANSWERS;
      const sums = ANSWER_KINDS.map((kind) => [kind, known[kind] + answers[kind]]);
      counted.set(subscriptionId, Object.fromEntries(sums) as Answers);
      log.push(`answers ${subscriptionId}`);
    },
    async saySlow(own) {
      saidSlow.push(Object.fromEntries(own));
      const all = [...own.values()].reduce((sum, count) => sum + count, 0);
      const alone = () => new Map([...own].map(([id, count]) => [id, { own: count, all }]));
      return (over.slow ?? alone)(own);
    },
    async arm(armings) {
      armed.push(...armings);
    },
    async signal(sent) {
      signals.push(...sent);
    },
    async acknowledge(done) {
      log.push(`acknowledge ${done.map(nameOfRecord).join(' ')}`);
    },
    observer: {
      tried: () => {},
      concluded: () => {},
      internalError: (error) => faults.push(error),
      deadLettered: ({ record, reason }) => log.push(`dead-lettered ${nameOfRecord(record)}: ${reason}`),
      orderingKeyStuck: (key) => log.push(`stuck ${key.ordering_key}`),
      repeat: (message) => log.push(`repeat ${message.event_id}`),
      queuedMessageLost: (queuedMessage) => log.push(`lost ${eventOf(queuedMessage.message_id)}`),
      endpointHealthChanged: () => {},
    },
    blindMs: () => blindMs,
    now: () => nowMs,
    draw: () => 0.5,
    token: () => {
      tokens += 1;
      return `token ${tokens}`;
    },
    after: () =>
      new Promise((resolve) => {
        elapse = resolve;
      }),
  };
  return {
    ports,
    log,
    posts,
    faults,
    asked,
    deadRecords,
    armed,
    signals,
    keys,
    records,
    subscriptions,
    laterAttempts,
    /** What was counted of subscriptions' answers. */
    counted,
    /** How many slow attempts the worker said to have, each time, by subscription. */
    saidSlow,
    elapse: () => elapse(),
    /** Lets this many ms pass. */
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Stops the worker for this many ms. */
    freeze: (ms: number) => {
      nowMs += ms;
      blindMs += ms;
    },
    run: (...incoming: Incoming[]) => deliver(incoming, ports, DELIVERY_POLICY),
    /** What we know of the message of an event. */
    of: (eventId: string, subscriptionId = 'sub_1') => records.get(idOfEvent(eventId, subscriptionId)),
    /** Has a partner take an event's message in hand, or say what became of it. */
    putInHand(eventId: string, lease: NonNullable<QueuedMessage['lease']>) {
      for (const [name, queued] of queuedMessages) {
        if (eventOf(queued.message_id) === eventId) {
          queuedMessages.set(name, { ...queued, lease });
        }
      }
    },
    /** The events whose messages wait for an ordering key, in order. */
    waiting: (key = 'sub_1.pay-1') => waitingOf(key).map(({ message_id }) => eventOf(message_id)),
  };
}

function nameOfRecord(record: Incoming): string {
  return 'signal' in record ? `signal of ${record.signal.payment_id}` : record.message.event_id;
}

const eventNames = new Map<string, string>();
/** The ids of the events' latest messages, whatever their payments. */
const messageIds = new Map<string, string>();
function idOfEvent(eventId: string, subscriptionId: string): string {
  return messageIds.get(`${eventId} ${subscriptionId}`) ?? '';
}
function eventOf(webhookId: string): string {
  return eventNames.get(webhookId) ?? webhookId;
}

/** The record of an event's message. Event ids that end in a number have it as their order number. */
export function event(event_id: string, over: Partial<Delivery['message']> = {}, receiveCount = 1): Delivery {
  const subscription_id = over.subscription_id ?? 'sub_1';
  const order_number = (/\d+$/.exec(event_id)?.[0] ?? '1').padStart(20, '0');
  const id = messageId({
    service_id: over.service_id ?? 'bakery',
    payment_id: over.payment_id ?? 'pay-1',
    event_id,
    subscription_id,
  });
  eventNames.set(id, event_id);
  messageIds.set(`${event_id} ${subscription_id}`, id);
  return delivery({ event_id, subscription_id, order_number, ...over }, receiveCount);
}

/** The record of a signal. */
export function signalled(
  signalKind: SignalKind,
  over: { payment_id?: string } = {},
  receiveCount = 1,
): Signalled {
  const name = { service_id: 'bakery', subscription_id: 'sub_1', payment_id: over.payment_id ?? 'pay-1' };
  return {
    ...asReceived(`signal of ${name.payment_id}`, name),
    receiveCount,
    signal: signal(name, signalKind),
  };
}

/** What SQS says of a record whose text no test looks at. */
export function asReceived(recordId: string, name: OrderingKeyName) {
  return { recordId, name, group: `group of ${recordId}`, body: '{}', receipt: `receipt of ${recordId}` };
}

/** The record of a message that was attempted before. */
export function knownRecord({ message }: Delivery, over: Partial<MessageRecord>): MessageRecord {
  return { ...recordOf(message), state: 'retrying', attempt_count: 1, ...over };
}

/** How an armed timer reads: what for, and how many ms from ten o'clock on. */
export function timersOf(armed: readonly Arming[]): string[] {
  return armed.map(({ timer, dueAtMs }) => {
    return `${timerName(timer)} at ${instant(dueAtMs).slice(11, 23)}`;
  });
}

/** Lets everything that can happen without the clock happen. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
