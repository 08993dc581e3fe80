import type { Tried } from '../../../functions/deliver/ports.ts';

/** What a group of subscriptions (the healthy, the dead, …) has seen. */
export interface Observed {
  /** Events that were put for it: each has to become a message. */
  published: number;
  attempts: number;
  probes: number;
  delivered: number;
  /** Messages whose first attempt had to wait behind something. */
  held: number;
  /** Of first attempts, in ms, without what they were held. */
  readonly timesToSend: number[];
  /** When the last attempt began, in ms of the clock. */
  lastAttemptAtMs: number;
}

export class Observations {
  readonly byGroup = new Map<string, Observed>();
  /** Faults of ours: there should be none. */
  readonly faults: string[] = [];
  readonly #groupOf: (subscriptionId: string) => string;

  readonly #startedAtMs: number;

  /** @param startedAtMs what was admitted before counts for no time to send */
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
      lastAttemptAtMs: 0,
    };
    this.byGroup.set(group, fresh);
    return fresh;
  }

  readonly tried = ({ record, attempt }: Tried): void => {
    const observed = this.of(this.#groupOf(record.subscription_id));
    observed.attempts += 1;
    observed.probes += attempt.probe ? 1 : 0;
    observed.delivered += record.state === 'succeeded' ? 1 : 0;
    observed.lastAttemptAtMs = Math.max(observed.lastAttemptAtMs, Date.parse(attempt.started_at));
    if (attempt.attempt > 1) {
      return;
    }
    observed.held += record.held_ms === undefined ? 0 : 1;
    if (record.time_to_send_ms !== undefined && Date.parse(record.admitted_at) >= this.#startedAtMs) {
      observed.timesToSend.push(record.time_to_send_ms);
    }
  };

  readonly fault = (error: unknown): void => {
    this.faults.push(String(error));
  };
}
