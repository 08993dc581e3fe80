import type { WireResult } from '../../../functions/core/attempt.ts';
import type { DeliverPorts } from '../../../functions/deliver/ports.ts';
import type { Dice } from '../../../load/dice.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { drawn, type Spread } from './latencies.ts';

/** How a partner's endpoint behaves. `dead` hangs until `untilMs`, in ms of the clock, and is well then. */
export type Endpoint =
  | { readonly kind: 'answering'; readonly takes: Spread }
  | { readonly kind: 'dead'; readonly untilMs: number; readonly takes: Spread };

/** A payment's events are numbered from 1: the resource says so in `position`. */
interface Progress {
  /** The position that is under way, or is to come next. */
  position: number;
  /** Whether it has been answered with success: then the next one may come. */
  isTaken: boolean;
}

/** The partners: they answer, and notice when something comes before its turn. */
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

  async post({ url, body, deadlineMs }: Parameters<DeliverPorts['post']>[0]): Promise<WireResult> {
    const subscriptionId = url.slice('https://'.length, url.indexOf('.'));
    const { resource } = JSON.parse(body);
    const key = `${subscriptionId}.${resource.payment_id}`;
    const startedAtMs = this.#clock.now();
    this.#begin(key, resource.position);
    const endpoint = this.#of(subscriptionId);
    if (endpoint.kind === 'dead' && startedAtMs < endpoint.untilMs) {
      await this.#clock.after(deadlineMs);
      return { failure_class: 'timeout', failure_reason: 'no answer in time', duration_ms: deadlineMs };
    }
    await this.#clock.after(Math.min(drawn(endpoint.takes, this.#dice), deadlineMs - 1));
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
