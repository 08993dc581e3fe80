import type { WireResult } from '../../../functions/core/attempt.ts';
import { type MessageRecord, recordOf } from '../../../functions/core/history.ts';
import { messageId } from '../../../functions/core/message.ts';
import type { DeliverPorts, Delivery, Outcome, Tried, Wanted } from '../../../functions/deliver/ports.ts';
import { delivery, subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';

export const OK: WireResult = { status_code: 200, response_body: 'thanks', duration_ms: 100 };
export const BUSY: WireResult = {
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'answered 503',
  duration_ms: 20,
};

interface Over {
  /** How the receiver answers, by the text of the event id; a promise holds the answer back. */
  readonly answer?: (eventId: string) => WireResult | Promise<WireResult>;
  readonly subscriptions?: ReturnType<typeof subscription>[];
  readonly records?: MessageRecord[];
  readonly resources?: [string, string][];
  readonly faults?: [string, Error][];
  readonly save?: (outcomes: readonly Outcome[]) => Promise<void>;
  /** How far the clock moves with each attempt, in ms. */
  readonly attemptTakesMs?: number;
}

/** Ports in memory that write down what was asked of them, in order. The early release comes when the test says so. */
export function world(over: Over = {}) {
  let nowMs = TEN_O_CLOCK_MS + 7;
  const log: string[] = [];
  const saved: Outcome[] = [];
  const tried: Tried[] = [];
  const posts: Parameters<DeliverPorts['post']>[0][] = [];
  const faults: unknown[] = [];
  const asked: Wanted[] = [];
  let elapse = () => {};
  const ids = (deliveries: readonly Delivery[]) =>
    deliveries.map(({ message }) => message.event_id).join(' ');
  const subscriptions = over.subscriptions ?? [subscription(), subscription({ subscription_id: 'sub_2' })];
  const ports: DeliverPorts = {
    async lookUp(wanted) {
      asked.push(wanted);
      return {
        subscriptions: new Map(subscriptions.map((one) => [one.subscription_id, one])),
        secrets: new Map(
          subscriptions.map(({ subscription_id }) => [
            subscription_id,
            ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
          ]),
        ),
        records: new Map((over.records ?? []).map((record) => [record.message_id, record])),
        resources: new Map(over.resources ?? []),
        faults: new Map(over.faults ?? []),
      };
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
      await over.save?.(outcomes);
      saved.push(...outcomes);
      if (outcomes.length > 0) {
        log.push(`save ${outcomes.map(({ record }) => record.event_id).join(' ')}`);
      }
    },
    async acknowledge(deliveries) {
      log.push(`acknowledge ${ids(deliveries)}`);
    },
    async returnSoon(deliveries) {
      if (deliveries.length > 0) {
        log.push(`return ${ids(deliveries)}`);
      }
    },
    observe: (one) => tried.push(one),
    observeFault: (error) => faults.push(error),
    observeRepeat: (message) => log.push(`repeat ${message.event_id}`),
    now: () => nowMs,
    after: () =>
      new Promise((resolve) => {
        elapse = resolve;
      }),
  };
  return { ports, log, saved, tried, posts, faults, asked, elapse: () => elapse() };
}

const eventNames = new Map<string, string>();
function eventOf(webhookId: string): string {
  return eventNames.get(webhookId) ?? webhookId;
}
export function event(event_id: string, over: Partial<Delivery['message']> = {}, receiveCount = 1): Delivery {
  const subscription_id = over.subscription_id ?? 'sub_1';
  eventNames.set(messageId(event_id, subscription_id), event_id);
  return delivery({ event_id, subscription_id, ...over }, receiveCount);
}

/** The record of a message that was tried before. */
export function knownRecord({ message }: Delivery, over: Partial<MessageRecord>): MessageRecord {
  return { ...recordOf(message, '{"as":"sent"}'), state: 'retrying', attempt_count: 1, ...over };
}

/** Lets everything that can happen without the clock happen. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
