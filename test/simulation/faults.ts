import type { Dice } from '../../load/statistics/dice.ts';
import { shareOf } from './plans/share.ts';

/** What goes wrong on our side, as probabilities for each chance it has. */
export interface FaultPlan {
  /** All is well from then on, in ms from the start. */
  readonly untilMs: number;
  /** A worker dies, at each port call before its effect and after it. */
  readonly crash: number;
  /** A call is refused, or its answer is lost. */
  readonly reject: number;
  /** One entry of a batch that is sent, one item of a batch that is written. */
  readonly partial: number;
  /** A call takes most of a minute: the function's time runs out. */
  readonly stall: number;
  /** An early release or a return does nothing, and nobody is told. */
  readonly lostRelease: number;
  /** The tables answer nobody, in ms from the start. */
  readonly outage: { readonly fromMs: number; readonly untilMs: number };
  /** A timer that is sent gets lost, goes off twice, or late. */
  readonly lostTimer: number;
  readonly doubledTimer: number;
  readonly lateTimer: number;
  /** Lambda's mapping leaves a record in the queue that was done with. */
  readonly undeleted: number;
  /** Lambda has the records of a batch, and starts its worker up to one and a half visibilities later. */
  readonly lateStart: number;
  /** A worker stands still at a port call, up to and beyond its time, and knows nothing of it. */
  readonly freeze: number;
  /** Of all keys, records and subscriptions this part cannot be read, always the same ones. */
  readonly unreadable: number;
  /** The partitions of this part of all keys and subscriptions take nothing and answer nothing. */
  readonly throttled: number;
}

export const NO_FAULTS: FaultPlan = {
  untilMs: 0,
  crash: 0,
  reject: 0,
  partial: 0,
  stall: 0,
  lostRelease: 0,
  outage: { fromMs: 0, untilMs: 0 },
  lostTimer: 0,
  doubledTimer: 0,
  lateTimer: 0,
  undeleted: 0,
  lateStart: 0,
  freeze: 0,
  unreadable: 0,
  throttled: 0,
};

export type Fault = Exclude<keyof FaultPlan, 'untilMs'>;
/** Those that strike the same ones again and again. */
export type NamedFault = 'unreadable' | 'throttled';

/** Draws faults, until the world heals. */
export class Faults {
  readonly #plan: FaultPlan;
  readonly #dice: Dice;
  readonly #sinceStartMs: () => number;

  constructor(plan: FaultPlan, dice: Dice, sinceStartMs: () => number) {
    this.#plan = plan;
    this.#dice = dice;
    this.#sinceStartMs = sinceStartMs;
  }

  strike(fault: Fault): boolean {
    if (fault === 'outage') {
      const { fromMs, untilMs } = this.#plan.outage;
      return this.#sinceStartMs() >= fromMs && this.#sinceStartMs() < untilMs;
    }
    if (this.#plan[fault] === 0) {
      return false;
    }
    return this.#dice.chance(this.#plan[fault]) && this.#sinceStartMs() < this.#plan.untilMs;
  }

  /** Whether a fault strikes whatever bears this name. */
  strikes(fault: NamedFault, name: string): boolean {
    return this.#sinceStartMs() < this.#plan.untilMs && shareOf(`${fault} ${name}`) < this.#plan[fault];
  }
}

/** A fault that an invocation has met: it excuses what follows from it, and nothing else. */
export interface Meeting {
  readonly fault: Fault;
  readonly atMs: number;
  readonly port: string;
  /** The ordering key, message or subscription that it struck; absent: whatever the call was about. */
  readonly name?: string | undefined;
}
