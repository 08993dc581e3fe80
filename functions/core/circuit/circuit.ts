import * as z from 'zod/mini';
import { type AnswerKind, type Answers, answersSchema } from '../attempt/answers.ts';
import type { SlowAttempts } from './crowding.ts';

/** What a circuit holds in every state. Instants are ISO 8601 in UTC with milliseconds. */
const lasting = {
  /** Optimistic lock: advances with each write, and stale writers fail. */
  revision: z.int(),
  /** Generation of the current timer: an older timer does nothing. */
  generation: z.int(),
  /** When the next timer fires; absent when none is needed. */
  timer_at: z.optional(z.string()),
  /** When it entered its current state. */
  since: z.optional(z.string()),
  /** Ordering keys that failed in a row, with no success since the first of them. Counted while closed. */
  failed_ordering_keys: z.array(z.string()),
  /** When the current run of failures began. */
  failing_since: z.optional(z.string()),
  /** It has opened since then: many have failed. */
  has_opened: z.optional(z.literal(true)),
  /** When it last left `closed`; lasts through probes, drains and further openings. For people. */
  in_trouble_since: z.optional(z.string()),
  /**
   * Since the endpoint asked for fewer requests, until the circuit closes: how many attempts a timer may
   * start. Absent: no such bound.
   */
  rate: z.optional(z.int()),
  /** When its partner last said that the endpoint is back. */
  asked_at: z.optional(z.string()),
  /** Half of the window at which its last drain failed: a drain that follows soon starts here. */
  resume_with: z.optional(z.int()),
  /** How many messages waited at the last count. `since`: when `messages.waiting` was reported. */
  backlog_size: z.optional(
    z.object({ counted_at: z.string(), waiting: z.int(), since: z.optional(z.string()) }),
  ),
};

/** An experiment with the window: do failures come from the load, or from what is sent? */
export const trialSchema = z.object({
  window: z.int(),
  succeeded: z.int(),
  step: z.enum(['narrower', 'wider', 'kept']),
});
export type Trial = z.infer<typeof trialSchema>;

/** Why a circuit drains that has not failed. */
export const DRAIN_CAUSES = ['crowded', 'overloaded'] as const;

/**
 * The circuit of a subscription. `closed`: messages are sent as they arrive. `open`: ordering keys wait in
 * the backlog. `half_open`: the endpoint is being probed. `draining`: the backlog is sent, a limited number
 * of ordering keys at a time.
 */
export const circuitSchema = z.discriminatedUnion('state', [
  z.object({
    ...lasting,
    state: z.literal('closed'),
    /**
     * With a rate limit: how many timers in a row have found nothing waiting. 0: one is due within a second,
     * and no message brings it forward.
     */
    idle_timers: z.optional(z.int()),
  }),
  z.object({
    ...lasting,
    state: z.literal('open'),
    cool_down_ms: z.int(),
    /** Absent when there is no probe: the subscription is not active, or an operator opened the circuit. */
    probe_at: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('half_open'),
    cool_down_ms: z.int(),
    /** When to choose other probes if there are none or these are lost. */
    probe_at: z.string(),
    /** The ordering keys under way as probes; none while the next message to arrive is to be the probe. */
    probes: z.array(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('draining'),
    /** How many ordering keys of the backlog may be under way. */
    window: z.int(),
    /**
     * Why it drains. `crowded`: it reached its limit of slow attempts. `overloaded`: it asked for fewer
     * requests. Absent: the endpoint is recovering.
     */
    cause: z.optional(z.enum(DRAIN_CAUSES)),
    /** Timers in a row without a refusal for overload; absent while this drain has seen none. */
    calm_timers: z.optional(z.int()),
    /** Some attempts fail: part of the window is taken from anywhere in the backlog, not from its head. */
    spreads: z.optional(z.literal(true)),
    /** While most attempts fail: the last window, its successes, and what was tried next. */
    trial: z.optional(trialSchema),
    /** Answers counted up to the last timer; absent before the first one. */
    answers: z.optional(answersSchema),
    /** Failed attempts since the last success. */
    failed_in_a_row: z.optional(z.int()),
    /** The stage has no room for more slow attempts: this timer sends nothing. */
    waits_for_room: z.optional(z.literal(true)),
    /** The cool-down before this drain; if the drain fails, the next one is longer. */
    cool_down_ms: z.optional(z.int()),
    /** Since when nothing in the backlog has been older than two seconds. */
    quiet_since: z.optional(z.string()),
  }),
]);
export type Circuit = z.infer<typeof circuitSchema>;
export type CircuitState = Circuit['state'];
export const CIRCUIT_STATES = [
  'closed',
  'open',
  'half_open',
  'draining',
] as const satisfies readonly CircuitState[];
export type In<State extends CircuitState> = Extract<Circuit, { state: State }>;

/** The circuit of a subscription that has never failed: it need not be stored. */
export const CLOSED: In<'closed'> = { state: 'closed', revision: 0, generation: 0, failed_ordering_keys: [] };

/** The part of the backlog that a timer sees. It comes from an index, so it may lag behind. */
export interface BacklogView {
  /** Longest waiting first. `isInHand`: it was signalled recently and may be under way. */
  readonly keys: readonly {
    readonly key: string;
    readonly backloggedAtMs: number;
    readonly isInHand: boolean;
  }[];
}

interface Attempted {
  readonly key: string;
  readonly isProbe: boolean;
}

export type CircuitInput =
  | ({ readonly kind: 'succeeded' } & Attempted)
  /** `isNews`: its first failure. A payment that is refused again says nothing about the others. */
  | ({
      readonly kind: 'failed';
      readonly answer: Exclude<AnswerKind, 'succeeded'>;
      readonly isNews: boolean;
      /** How long the endpoint asks us to wait. */
      readonly retryAfterMs?: number | undefined;
    } & Attempted)
  /** The subscription has reached its limit of slow attempts. */
  | { readonly kind: 'crowded' }
  | {
      readonly kind: 'timer_fired';
      readonly backlog: BacklogView;
      /** Ordering keys from all over the backlog, in the order in which they are to be probed. */
      readonly sample?: readonly string[] | undefined;
      readonly timeoutMs: number;
      /** How many messages wait; absent when this timer did not count them. */
      readonly waiting?: number | undefined;
      /** How many circuits are draining now, including this one; absent when unknown. */
      readonly drains?: number | undefined;
      /** Running totals of its answers; absent when unknown. */
      readonly answers?: Answers | undefined;
      /** Slow attempts under way, of this subscription and of the stage; absent when unknown. */
      readonly slow?: SlowAttempts | undefined;
      /** The subscription has a rate limit: its timer never ends. */
      readonly isLimited?: boolean;
      /** The subscription is deleted: its backlog is only cancelled. */
      readonly isDeleted?: boolean;
    }
  /** An ordering key was blocked by a rate limit: a timer must look at the backlog soon. */
  | { readonly kind: 'joined' }
  /** A message has arrived that becomes the probe if the next one to arrive is wanted for that. */
  | { readonly kind: 'claimed'; readonly key: string; readonly timeoutMs: number }
  /** The partner says that the endpoint is back. */
  | { readonly kind: 'asked' }
  /**
   * Probing stops (`halted`), or a drain starts (`resumed`): requested by the partner or an operator, or
   * because the subscription was disabled.
   */
  | { readonly kind: 'halted' }
  | { readonly kind: 'resumed' }
  /** An operator says that the endpoint is healthy, and the backlog looks empty. */
  | { readonly kind: 'shut' };
export type InputOf<Kind extends CircuitInput['kind']> = Extract<CircuitInput, { kind: Kind }>;
