import { createHash } from 'node:crypto';
import type { AttemptResult } from '../../../functions/core/attempt/attempt.ts';
import type { DeliverPorts } from '../../../functions/pipeline/deliver/ports.ts';
import { drawn, type Spread } from '../../../test/simulation/aws/metering/latencies.ts';
import type { VirtualClock } from '../../../test/simulation/clock/virtual-clock.ts';
import type { Dice } from '../../../test/support/dice.ts';

/** How a partner's endpoint behaves; shares are from 0 to 1, instants in ms of the clock. */
export type Endpoint =
  | {
      readonly kind: 'answering';
      readonly takes: Spread;
      /** The share of its requests that get no response. */
      readonly hangs?: number;
      /** The share of its requests that fail with 500, at random. */
      readonly fails?: number;
      /** The share of its payments that it always refuses with 422: the same ones each time. */
      readonly refuses?: number;
      /** Payments that always fail with 500. */
      readonly bad?: (paymentId: string) => boolean;
      /** Whether a request that comes now is answered 429, with `retry-after: 1`. */
      readonly isBusy?: (nowMs: number) => boolean;
      /** 503 in this span, or in turns of this length. */
      readonly down?: Down;
    }
  /** Hangs from `fromMs` until `untilMs`, and is healthy before and after. */
  | { readonly kind: 'dead'; readonly fromMs?: number; readonly untilMs: number; readonly takes: Spread };

type Down = { readonly fromMs?: number; readonly untilMs: number } | { readonly eachMs: number };

/** A payment's events are numbered from 1: the resource says so in `position`. */
interface Progress {
  /** The position that is under way, or is to come next. */
  position: number;
  /** Whether it has succeeded: then the next one may come. */
  isTaken: boolean;
}

/** The partners' endpoints: they respond, and notice messages out of order. */
export class Endpoints {
  readonly outOfOrder: string[] = [];
  readonly #of: (subscriptionId: string) => Endpoint;
  readonly #clock: VirtualClock;
  readonly #dice: Dice;
  readonly #progress = new Map<string, Progress>();

  constructor(of: (subscriptionId: string) => Endpoint, clock: VirtualClock, dice: Dice) {
    this.#of = of;
    this.#clock = clock;
    this.#dice = dice;
  }

  async post({ url, body, deadlineMs }: Parameters<DeliverPorts['post']>[0]): Promise<AttemptResult> {
    const subscriptionId = url.slice('https://'.length, url.indexOf('.'));
    const { resource, resource_id } = JSON.parse(body);
    const key = `${subscriptionId}.${resource_id}`;
    const startedAtMs = this.#clock.now();
    this.#begin(key, resource.position);
    const endpoint = this.#of(subscriptionId);
    if (hangsNow(endpoint, startedAtMs, this.#dice)) {
      await this.#clock.after(deadlineMs);
      return { failure_class: 'timeout', failure_reason: 'no answer in time', duration_ms: deadlineMs };
    }
    await this.#clock.after(Math.min(drawn(endpoint.takes, this.#dice), deadlineMs - 1));
    const status = statusOf(endpoint, { paymentId: resource_id, startedAtMs }, this.#dice);
    if (status !== undefined) {
      return {
        status_code: status,
        ...(status === 429 ? { response_headers: { 'retry-after': '1' } } : {}),
        failure_class: 'http_status',
        failure_reason: `answered ${status}`,
        duration_ms: this.#clock.now() - startedAtMs,
      };
    }
    this.#progress.set(key, { position: resource.position, isTaken: true });
    return { status_code: 200, response_body: 'ok', duration_ms: this.#clock.now() - startedAtMs };
  }

  #begin(key: string, position: number): void {
    const known = this.#progress.get(key) ?? { position: 0, isTaken: true };
    const isNext = known.isTaken ? position === known.position + 1 : position === known.position;
    if (!isNext) {
      this.outOfOrder.push(`${key}: ${position} after ${known.position}`);
    }
    this.#progress.set(key, { position, isTaken: false });
  }
}

/** Undefined if it takes the message. */
function statusOf(
  endpoint: Endpoint,
  { paymentId, startedAtMs }: { readonly paymentId: string; readonly startedAtMs: number },
  dice: Dice,
): number | undefined {
  if (endpoint.kind === 'dead') {
    return undefined;
  }
  const { down, fails = 0, refuses = 0, bad, isBusy } = endpoint;
  if (isBusy?.(startedAtMs)) {
    return 429;
  }
  if (down !== undefined && isDown(down, startedAtMs)) {
    return 503;
  }
  if (isAmong(paymentId, refuses)) {
    return 422;
  }
  return bad?.(paymentId) || dice.chance(fails) ? 500 : undefined;
}

function isDown(down: Down, nowMs: number): boolean {
  return 'untilMs' in down
    ? nowMs >= (down.fromMs ?? 0) && nowMs < down.untilMs
    : Math.floor(nowMs / down.eachMs) % 2 === 1;
}

/** Whether a payment belongs to a share of all: always the same ones. */
function isAmong(paymentId: string, share: number): boolean {
  return createHash('sha256').update(paymentId).digest().readUInt32BE() < share * 2 ** 32;
}

function hangsNow(endpoint: Endpoint, nowMs: number, dice: Dice): boolean {
  return endpoint.kind === 'dead'
    ? nowMs >= (endpoint.fromMs ?? 0) && nowMs < endpoint.untilMs
    : endpoint.hangs !== undefined && dice.chance(endpoint.hangs);
}
