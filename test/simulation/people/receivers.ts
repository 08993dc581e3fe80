import type { AttemptResult } from '../../../functions/core/attempt/attempt.ts';
import type { DeliverPorts } from '../../../functions/pipeline/deliver/ports.ts';
import type { SubscriptionTable } from '../aws/tables/subscription-table.ts';
import type { Invocation } from '../workers/invocation.ts';
import { type Behaviour, type Reaction, reactionOf } from './behaviour.ts';
import { TokenBucket } from './token-bucket.ts';

/** Members of a webhook's body. */
interface ReceivedNumbering {
  readonly sequence?: number;
  readonly position?: number;
  readonly previous_message_id?: string | null;
  readonly gap_before?: true;
  readonly late?: true;
}

/** One request as the endpoint saw it, and what the worker heard of it. */
export interface Received {
  readonly subscriptionId: string;
  readonly messageId: string;
  /** The publisher's id of its event, which the resource repeats; absent in a test ping. */
  readonly eventId: string | undefined;
  /** Its ordering key. */
  readonly key: string;
  /** What its body says of its place among others. */
  readonly numbering: ReceivedNumbering;
  /** From the header `webhook-attempt`. */
  readonly attempt: number;
  readonly url: string;
  readonly deadlineMs: number;
  /** When the worker began it. */
  readonly begunAtMs: number;
  /** When it arrived: later if the worker froze in between. */
  readonly startedAtMs: number;
  /** When it began by the worker's clock. */
  readonly workersTimeMs: number;
  readonly invocation: Invocation;
  /** Whether the endpoint took the message, whatever the worker heard. */
  readonly taken: boolean;
  /** How the endpoint reacts, whatever the worker hears. */
  readonly reaction: Reaction;
  /** When the worker had its response; absent if it was dead by then. */
  heardAtMs?: number;
  /** Whether that response was 2xx and in time. */
  heardSuccess: boolean;
  /** Whether the response repeats the challenge that the request was, and was heard in time. */
  echoed?: boolean;
  /** What it heard. */
  heard?: AttemptResult;
}

/** What is wrong with a request, whatever the response. */
interface Oddity {
  readonly subscriptionId: string;
  readonly what: string;
}

/** The partners' endpoints: at the host named like the subscription, and at others after a change of URL. */
export class Receivers {
  readonly log: Received[] = [];
  /** Of test pings and challenges: they belong to no payment, and have no consequences. */
  readonly pings: Received[] = [];
  readonly oddities: Oddity[] = [];
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #startedAtMs: number;
  readonly #clocksMs: number;
  readonly #subscriptions: SubscriptionTable;
  readonly #provesFromMs: readonly number[];

  /**
   * @param behaviours by host, without `.example`
   * @param clocksMs how far workers' clocks may be off
   * @param provesFromMs from when the endpoints of each subscription repeat challenges
   */
  constructor(
    behaviours: ReadonlyMap<string, Behaviour>,
    startedAtMs: number,
    clocksMs: number,
    subscriptions: SubscriptionTable,
    provesFromMs: readonly number[] = [],
  ) {
    this.#behaviours = behaviours;
    this.#startedAtMs = startedAtMs;
    this.#clocksMs = clocksMs;
    this.#subscriptions = subscriptions;
    this.#provesFromMs = provesFromMs;
  }

  async post(
    { url, headers, body, deadlineMs }: Parameters<DeliverPorts['post']>[0],
    invocation: Invocation,
  ): Promise<AttemptResult> {
    const { clock, dice } = invocation.around;
    const begunAtMs = clock.now();
    const workersTimeMs = invocation.workersTime();
    // A worker that freezes here has begun its attempt; the endpoint gets it later.
    await invocation.mayDie('post');
    const startedAtMs = clock.now();
    const host = new URL(url).hostname.slice(0, -'.example'.length);
    const subscriptionId = host.split('.')[0]!;
    const {
      webhook_message_id: messageId,
      event_type: eventType,
      resource_id,
      resource,
      ...rest
    } = JSON.parse(body);
    const isChallenge = eventType === 'challenge';
    const isTest = isChallenge || eventType === 'ping' || eventType.startsWith('sample.');
    const paymentId: string = isTest ? resource_id : resource.payment_id;
    if (messageId !== headers['webhook-id']) {
      throw new Error(`the body is of ${messageId}, the header of ${headers['webhook-id']}`);
    }
    const reaction = reactionOf(
      this.#behaviours.get(host)!,
      {
        paymentId,
        input: resource?.input,
        bucket: this.#bucketOf(host),
        atMs: startedAtMs - this.#startedAtMs,
        deadlineMs,
      },
      dice,
    );
    const received: Received = {
      subscriptionId,
      messageId,
      eventId: resource?.event_id,
      key: `${subscriptionId}.${paymentId}`,
      numbering: rest,
      url,
      deadlineMs,
      attempt: Number(headers['webhook-attempt']),
      begunAtMs,
      startedAtMs,
      workersTimeMs,
      invocation,
      taken: reaction.takes,
      reaction,
      heardSuccess: false,
    };
    (isTest ? this.pings : this.log).push(received);
    // Signed when it was begun: a worker may freeze before the request is on its way.
    const fault = this.#subscriptions
      .keyring(subscriptionId)
      ?.fault(headers, body, begunAtMs, this.#clocksMs);
    if (fault !== undefined) {
      this.oddities.push({ subscriptionId, what: `${messageId}, attempt ${received.attempt}, ${fault}` });
    }
    const { fields } = this.#subscriptions.settingsAt(subscriptionId, startedAtMs);
    const names = Object.keys(resource ?? {}).join();
    if (!isTest && fields !== undefined && names !== 'event_id,payment_id,input') {
      this.oddities.push({ subscriptionId, what: `${messageId} has ${names}` });
    }
    const what = isTest ? 'a ping' : resource.event_id;
    invocation.tell(() => `tries ${what} at ${subscriptionId}, attempt ${received.attempt}`);
    const leftMs = Math.max(0, begunAtMs + deadlineMs - startedAtMs);
    await clock.after(Math.min(reaction.afterMs, leftMs));
    await invocation.mayDie('post');
    const isInTime = clock.now() - begunAtMs <= deadlineMs && reaction.afterMs <= leftMs;
    await invocation.hearLate();
    const heard = attemptResultOf(isInTime ? reaction : undefined, deadlineMs, begunAtMs, clock.now());
    const proves =
      startedAtMs - this.#startedAtMs >=
      (this.#provesFromMs[Number(subscriptionId.slice('sub_'.length))] ?? 0);
    const result = isChallenge ? { ...heard, response_body: proves ? resource.challenge : 'thanks' } : heard;
    received.echoed = isChallenge && proves && heard.failure_class === undefined;
    received.heardAtMs = clock.now();
    received.heard = result;
    received.heardSuccess = result.failure_class === undefined;
    invocation.tell(() => `hears ${result.status_code ?? result.failure_class} for ${what}`);
    return result;
  }

  #bucketOf(host: string): TokenBucket {
    const bucket = this.#buckets.get(host) ?? new TokenBucket();
    this.#buckets.set(host, bucket);
    return bucket;
  }
}

function attemptResultOf(
  reaction: Reaction | undefined,
  deadlineMs: number,
  startedAtMs: number,
  nowMs: number,
): AttemptResult {
  const duration_ms = nowMs - startedAtMs;
  if (reaction === undefined) {
    return {
      failure_class: 'timeout',
      failure_reason: 'no answer in time',
      duration_ms,
      looked_late_ms: Math.max(0, duration_ms - deadlineMs),
    };
  }
  const { statusCode: status_code, headers } = reaction;
  if (status_code === undefined) {
    return { failure_class: 'connect', failure_reason: 'the connection was closed', duration_ms };
  }
  return {
    status_code,
    duration_ms,
    ...(headers === undefined ? {} : { response_headers: headers }),
    ...(status_code < 300 ? {} : { failure_class: 'http_status', failure_reason: `answered ${status_code}` }),
  };
}
