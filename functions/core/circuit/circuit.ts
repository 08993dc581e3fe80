import * as z from 'zod/mini';
import { type AnswerKind, type Answers, answersSchema } from '../attempt/answers.ts';
import type { SlowAttempts } from './crowding.ts';

/** What a circuit holds in each of its states. Instants are ISO 8601 in UTC with milliseconds. */
const lasting = {
  /** Advances with each write: who writes on an old reading is refused. */
  revision: z.int(),
  /** Advances with each timer: an older timer means nothing any more. */
  tick: z.int(),
  /** When the next timer goes off; absent when none is needed. */
  tick_at: z.optional(z.string()),
  /** Since when it is in its state. */
  since: z.optional(z.string()),
  /** Ordering keys that failed in a row: nothing has succeeded since the first of them. Counted while closed. */
  failed_keys: z.array(z.string()),
  /** Always empty. Versions that counted slow payments still read it while a new version takes over. */
  slow_keys: z.array(z.string()),
  /** Since when there was nothing but failures. */
  failing_since: z.optional(z.string()),
  /** The place in line of the last probe: the next one is whoever stands behind it. */
  probed: z.optional(z.string()),
  /** Since when it has not been closed, through probes, drains and openings again; absent while it is. For people. */
  in_trouble_since: z.optional(z.string()),
  /** Half of the window with which its last drain failed: where the next one begins, if that is soon. */
  resume_with: z.optional(z.int()),
  /** How many messages wait, as last counted; `since` when there were many, which somebody has been told. */
  backlog: z.optional(z.object({ counted_at: z.string(), waiting: z.int(), since: z.optional(z.string()) })),
};

/**
 * The circuit of a subscription. `closed`: attempts are made as messages come. `open`: keys wait in line. `half_open`: the endpoint is being
 * probed. `draining`: the line is worked off, so many at a time.
 */
export const circuitSchema = z.discriminatedUnion('state', [
  z.object({ ...lasting, state: z.literal('closed') }),
  z.object({
    ...lasting,
    state: z.literal('open'),
    cool_down_ms: z.int(),
    /** Absent when nobody is to probe: the subscription is paused or disabled, or an operator opened it. */
    probe_at: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('half_open'),
    cool_down_ms: z.int(),
    /** When to look for another probe, should there be none, or should this one be lost. */
    probe_at: z.string(),
    /** The key that probes; absent while the next message to come is to be the probe. */
    probe_key: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('draining'),
    /** So many keys of the line may be under way. */
    window: z.int(),
    /** Always false. Versions that halved the window after a single failure still read it while a new version takes over. */
    failed_since_tick: z.boolean(),
    /** Why it drains. `crowded`: it had as many slow attempts under way as it may have. Absent: it recovers. */
    cause: z.optional(z.enum(['crowded'])),
    /** What had been counted of its answers at the last tick; absent before the first one. */
    answers: z.optional(answersSchema),
    /** So many attempts have failed since the last one that succeeded. */
    failed_in_a_row: z.optional(z.int()),
    /** The stage has no room for more slow attempts: this tick lets nobody go on. */
    waits_for_room: z.optional(z.literal(true)),
    /** The cool-down that it came from; should it fail, the next one is longer. */
    cool_down_ms: z.optional(z.int()),
    /** Since when nothing that waits in line was older than two seconds. */
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
/** A circuit in this state. */
export type In<State extends CircuitState> = Extract<Circuit, { state: State }>;

/** A subscription's circuit before anything has gone wrong: it need not be written. */
export const CLOSED: In<'closed'> = { state: 'closed', revision: 0, tick: 0, failed_keys: [], slow_keys: [] };

/** What a tick sees of the line: an index, so it may lag behind. */
export interface BacklogView {
  /** The one that waits longest first. `isInHand`: it was signalled lately, and may be under way. */
  readonly keys: readonly {
    readonly key: string;
    readonly parkedAtMs: number;
    readonly isInHand: boolean;
  }[];
}

interface Attempted {
  readonly key: string;
  readonly isProbe: boolean;
}

export type CircuitInput =
  | ({ readonly kind: 'succeeded' } & Attempted)
  /** `isNews`: the message had not failed before. A payment that is refused again says nothing of the others. */
  | ({
      readonly kind: 'failed';
      readonly answer: Exclude<AnswerKind, 'succeeded'>;
      readonly isNews: boolean;
    } & Attempted)
  /** It has as many slow attempts under way as it may have. */
  | { readonly kind: 'crowded' }
  | {
      readonly kind: 'ticked';
      readonly backlog: BacklogView;
      readonly timeoutMs: number;
      /** How many messages wait; absent where this tick has not counted them. */
      readonly waiting?: number | undefined;
      /** How many circuits are draining at this time, this one among them; absent where it is not known. */
      readonly drains?: number | undefined;
      /** All that was ever counted of its answers; absent where it is not known. */
      readonly answers?: Answers | undefined;
      /** Slow attempts under way, of this subscription and of the stage; absent where it is not known. */
      readonly slow?: SlowAttempts | undefined;
      /** The subscription has a rate limit: its line is looked at always. */
      readonly isLimited?: boolean;
      /** The subscription is deleted: what waits is only cancelled. */
      readonly isDeleted?: boolean;
    }
  /** A key has joined the line of a rate limit: somebody has to look at it soon. */
  | { readonly kind: 'joined' }
  /** A message has come that is the probe, should the next to come be wanted for that. */
  | { readonly kind: 'claimed'; readonly key: string; readonly timeoutMs: number }
  /** Probing stops, and starts again with a drain: by the wish of owner or operator, or because the subscription was disabled. */
  | { readonly kind: 'halted' }
  | { readonly kind: 'resumed' }
  /** An operator says that the endpoint is well, and nobody is seen in line. */
  | { readonly kind: 'shut' };
export type InputOf<Kind extends CircuitInput['kind']> = Extract<CircuitInput, { kind: Kind }>;
