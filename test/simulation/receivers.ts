import type { WireResult } from '../../functions/core/attempt.ts';
import type { DeliverPorts } from '../../functions/deliver/ports.ts';
import { type Behaviour, type Reaction, reactionOf } from './behaviour.ts';
import type { Invocation } from './invocation.ts';

/** One request as the partner's side saw it, and what the worker heard of it. */
export interface Received {
  readonly subscriptionId: string;
  readonly messageId: string;
  /** Its ordering key. */
  readonly key: string;
  /** From the header `webhook-attempt`. */
  readonly attempt: number;
  readonly startedAtMs: number;
  /** The same instant by the worker's clock. */
  readonly workersTimeMs: number;
  readonly invocation: Invocation;
  /** Whether the partner has taken the message, whatever the worker heard. */
  readonly taken: boolean;
  /** When the worker had its answer; absent when it was dead by then. */
  heardAtMs?: number;
  /** Whether that answer was 2xx, and in time. */
  heardSuccess: boolean;
  /** What it heard. */
  heard?: WireResult;
}

/** The partners' endpoints: one for each subscription, at the host that bears its id. */
export class Receivers {
  readonly log: Received[] = [];
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #startedAtMs: number;

  constructor(behaviours: ReadonlyMap<string, Behaviour>, startedAtMs: number) {
    this.#behaviours = behaviours;
    this.#startedAtMs = startedAtMs;
  }

  async post(
    { url, headers, body, deadlineMs }: Parameters<DeliverPorts['post']>[0],
    invocation: Invocation,
  ): Promise<WireResult> {
    const { clock, dice } = invocation.around;
    const startedAtMs = clock.now();
    await invocation.mayDie();
    const subscriptionId = new URL(url).hostname.split('.')[0]!;
    const { webhook_message_id: messageId, resource } = JSON.parse(body);
    if (messageId !== headers['webhook-id']) {
      throw new Error(`the body is of ${messageId}, the header of ${headers['webhook-id']}`);
    }
    const reaction = reactionOf(
      this.#behaviours.get(subscriptionId)!,
      { paymentId: resource.payment_id, atMs: startedAtMs - this.#startedAtMs, deadlineMs },
      dice,
    );
    const received: Received = {
      subscriptionId,
      messageId,
      key: `${subscriptionId}.${resource.payment_id}`,
      attempt: Number(headers['webhook-attempt']),
      startedAtMs,
      workersTimeMs: invocation.workersTime(),
      invocation,
      taken: reaction.takes,
      heardSuccess: false,
    };
    this.log.push(received);
    invocation.tell(() => `tries ${resource.event_id} at ${subscriptionId}, attempt ${received.attempt}`);
    await clock.after(Math.min(reaction.afterMs, deadlineMs));
    await invocation.mayDie();
    const result = wireResultOf(
      reaction.afterMs > deadlineMs ? undefined : reaction,
      startedAtMs,
      clock.now(),
    );
    received.heardAtMs = clock.now();
    received.heard = result;
    received.heardSuccess = result.failure_class === undefined;
    invocation.tell(() => `hears ${result.status_code ?? result.failure_class} for ${resource.event_id}`);
    return result;
  }
}

function wireResultOf(reaction: Reaction | undefined, startedAtMs: number, nowMs: number): WireResult {
  const duration_ms = nowMs - startedAtMs;
  if (reaction === undefined) {
    return { failure_class: 'timeout', failure_reason: 'no answer in time', duration_ms };
  }
  const { statusCode: status_code, headers } = reaction;
  return {
    status_code,
    duration_ms,
    ...(headers === undefined ? {} : { response_headers: headers }),
    ...(status_code < 300 ? {} : { failure_class: 'http_status', failure_reason: `answered ${status_code}` }),
  };
}
