import type { Tried } from '../../../functions/pipeline/deliver/ports.ts';

/** What a group of subscriptions (the healthy, the dead, …) has seen. */
export interface Observed {
  /** Events published for it: each has to become a message. */
  published: number;
  attempts: number;
  probes: number;
  delivered: number;
  /** Messages whose first attempt had to wait behind something. */
  held: number;
  /** Of first attempts, in ms, without the ordering wait; and when each was taken in, in ms of the clock. */
  readonly timesToSend: number[];
  readonly admittedAtMs: number[];
  /** Intake, in ms of the clock, and how long after it the first attempt began. */
  readonly firstAttempts: [number, number][];
}

export class Observations {
  readonly byGroup = new Map<string, Observed>();
  /** Internal errors: there should be none. */
  readonly faults: string[] = [];
  readonly #groupOf: (subscriptionId: string) => string;

  readonly #startedAtMs: number;

  /** @param startedAtMs earlier messages do not count for the time to send */
  constructor(groupOf: (subscriptionId: string) => string, startedAtMs: number) {
    this.#groupOf = groupOf;
    this.#startedAtMs = startedAtMs;
  }

  of(group: string): Observed {
    const known = this.byGroup.get(group);
    if (known !== undefined) {
      return known;
    }
    const fresh: Observed = {
      published: 0,
      attempts: 0,
      probes: 0,
      delivered: 0,
      held: 0,
      timesToSend: [],
      admittedAtMs: [],
      firstAttempts: [],
    };
    this.byGroup.set(group, fresh);
    return fresh;
  }

  readonly tried = ({ record, attempt }: Tried): void => {
    const observed = this.of(this.#groupOf(record.subscription_id));
    observed.attempts += 1;
    observed.probes += attempt.probe ? 1 : 0;
    observed.delivered += record.state === 'succeeded' ? 1 : 0;
    if (attempt.attempt > 1) {
      return;
    }
    const admittedAtMs = Date.parse(record.admitted_at);
    observed.firstAttempts.push([admittedAtMs, Date.parse(attempt.started_at) - admittedAtMs]);
    observed.held += record.held_ms === undefined ? 0 : 1;
    if (record.time_to_send_ms !== undefined && Date.parse(record.admitted_at) >= this.#startedAtMs) {
      observed.timesToSend.push(record.time_to_send_ms);
      observed.admittedAtMs.push(Date.parse(record.admitted_at));
    }
  };

  /** From intake to the first attempt, including the ordering wait, in ms, of messages since then. */
  heldToSendOf(group: string, sinceMs: number): number[] {
    return this.of(group).firstAttempts.flatMap(([admittedAtMs, ms]) =>
      admittedAtMs >= sinceMs ? [ms] : [],
    );
  }

  readonly fault = (error: unknown): void => {
    this.faults.push(String(error));
  };
}
