import type { Dice } from '../support/dice.ts';
import { shareOf } from './plans/share.ts';

/** What goes wrong on our side: the probability of each failure, for each time it can happen. */
export interface FaultPlan {
  /** Nothing fails from then on, in ms from the start. */
  readonly untilMs: number;
  /** A worker dies before or after the effect of a port call. */
  readonly crash: number;
  /** A call is refused, or its response is lost. */
  readonly reject: number;
  /** One entry of a batch is not sent, or one item not written. */
  readonly partial: number;
  /** A call takes most of a minute, so the function times out. */
  readonly stall: number;
  /** The SDK repeats a call to a table, and both take effect: the first perhaps long after the second. */
  readonly repeated: number;
  /** An early release or a changed visibility silently does nothing. */
  readonly lostRelease: number;
  /** The tables do not respond, in ms from the start. */
  readonly outage: { readonly fromMs: number; readonly untilMs: number };
  /** A timer is lost, goes off twice, or is late. */
  readonly lostTimer: number;
  readonly doubledTimer: number;
  readonly lateTimer: number;
  /** Lambda's mapping leaves a finished record in the queue. */
  readonly undeleted: number;
  /** Lambda holds the records of a batch, and starts its worker up to 1.5 visibility timeouts later. */
  readonly lateStart: number;
  /** A worker freezes at a port call, perhaps until after its timeout, without noticing. */
  readonly freeze: number;
  /** It freezes only there. @default - at any port call */
  readonly freezesAt?: string;
  /** This share of all ordering keys, records and subscriptions cannot be read: always the same ones. */
  readonly unreadable: number;
  /** This share of all records ends whoever handles it: always the same ones. */
  readonly poison: number;
  /** The partitions of this share of all ordering keys and subscriptions refuse every read and write. */
  readonly throttled: number;
}

export const NO_FAULTS: FaultPlan = {
  untilMs: 0,
  crash: 0,
  reject: 0,
  partial: 0,
  stall: 0,
  repeated: 0,
  lostRelease: 0,
  outage: { fromMs: 0, untilMs: 0 },
  lostTimer: 0,
  doubledTimer: 0,
  lateTimer: 0,
  undeleted: 0,
  lateStart: 0,
  freeze: 0,
  unreadable: 0,
  poison: 0,
  throttled: 0,
};

export type Fault = Exclude<keyof FaultPlan, 'untilMs' | 'freezesAt'>;
/** Failures that hit the same names again and again. */
export type NamedFault = 'unreadable' | 'throttled' | 'poison';

/** Draws failures, until the world heals. */
export class Faults {
  readonly #plan: FaultPlan;
  readonly #dice: Dice;
  readonly #sinceStartMs: () => number;

  constructor(plan: FaultPlan, dice: Dice, sinceStartMs: () => number) {
    this.#plan = plan;
    this.#dice = dice;
    this.#sinceStartMs = sinceStartMs;
  }

  /** @param port of the call */
  strike(fault: Fault, port?: string): boolean {
    const { freezesAt = port } = this.#plan;
    if (fault === 'freeze' && freezesAt !== port) {
      return false;
    }
    if (fault === 'outage') {
      const { fromMs, untilMs } = this.#plan.outage;
      return this.#sinceStartMs() >= fromMs && this.#sinceStartMs() < untilMs;
    }
    if (this.#plan[fault] === 0) {
      return false;
    }
    return this.#dice.chance(this.#plan[fault]) && this.#sinceStartMs() < this.#plan.untilMs;
  }

  /** Whether a failure hits whatever has this name. */
  strikes(fault: NamedFault, name: string): boolean {
    return this.#sinceStartMs() < this.#plan.untilMs && shareOf(`${fault} ${name}`) < this.#plan[fault];
  }
}

/** A failure that an invocation has met. It excuses its consequences, and nothing else. */
export interface Meeting {
  readonly fault: Fault;
  readonly atMs: number;
  /** When a freeze or a stall ends. @default atMs */
  readonly untilMs?: number;
  readonly port: string;
  /** The ordering key, message or subscription that it hit. Absent: whatever the call was about. */
  readonly name?: string | undefined;
}
